/** `fundus start`: starts the service. */
import { readBuiltFiles } from '../features/web/built.ts'
import { WORKER_VARIABLE } from '../workers/messages.ts'
import { workerCount } from '../workers/worker-count.ts'
import { buildWhenNeeded, DIST } from './build-dashboard.ts'
import type { Command } from './command.ts'
import { parseOptions } from './options.ts'

export const command: Command = {
  help: `fundus start [--no-build]

  Startet den Dienst und läuft, bis er mit Strg+C oder SIGTERM beendet wird. Laufende Anfragen bekommen dann bis zu
  30 Sekunden; ein zweites Strg+C beendet sofort. Sind die Seiten der Verwaltung noch nicht gebaut oder seit einer
  Aktualisierung veraltet, so baut er sie zuerst; das dauert einige Sekunden.

  --no-build     nicht bauen, sondern nehmen, was da ist

Umgebung:
  PORT           Port, auf dem er lauscht                        8080
  HOST           Adresse, auf der er lauscht                     0.0.0.0
  DATA_DIR       Ordner für Datenbank und Dateien                ./data
  PUBLIC_URL     öffentliche Adresse                             http://localhost:<PORT>
  MAX_UPLOAD_MB  größte Datei in Megabyte                        64
  FILES_HOST     nur unter diesem Hostnamen Dateien ausliefern   (leer: unter jedem)
  ADMIN_USER     Name des ersten Benutzerkontos                  admin
  ADMIN_PASSWORD sein Passwort; legt das Konto an                (leer: Einrichtungscode im Protokoll)
  WORKERS        Prozesse, die sich den Port teilen (Linux)      1, oder auto
  TRUST_PROXY    Adressen, deren X-Forwarded-For gilt            (leer: keine)
  SPEICHER_MB    Arbeitsspeicher für bereite Antworten           32 bis 128, je nach Rechner
  METRICS_TOKEN  Schlüssel für /metrics                          (leer: nur vom selben Rechner)
  LOG_LEVEL      debug, info, warn oder error                    info, im Terminal warn

Für mehrere Rechner, alle sechs oder keine:
  DATABASE_URL           postgres://…
  S3_ENDPOINT            Adresse eines S3-verträglichen Speichers
  S3_BUCKET              Bucket darin, der Fundus allein gehört
  S3_REGION              seine Region
  S3_ACCESS_KEY_ID       Schlüssel
  S3_SECRET_ACCESS_KEY   und das Geheimnis dazu
  CACHE_MB               Platz für Dateien in DATA_DIR/cache     1024

  Auch jede andere Einstellung (fundus settings list) kann unter ihrem Namen in der Umgebung stehen;
  ein gespeicherter Wert geht vor.`,

  async run({ config, args }) {
    const asIs = parseOptions(args, { 'no-build': { type: 'boolean' } })['no-build']
    const build = async () => (asIs ? undefined : buildWhenNeeded())
    await build()
    // Imported only now: the whole service takes long to load, and a call for help or a supervisor does not need it.
    if (config.environment[WORKER_VARIABLE] !== undefined) {
      const { runWorker } = await import('../workers/worker.ts')
      return runWorker(config, readBuiltFiles(DIST))
    }
    const count = workerCount(config)
    if (count > 1) {
      const { runSupervisor } = await import('../workers/supervisor.ts')
      return runSupervisor(config, { count, build })
    }
    const { runService } = await import('../main.ts')
    await runService(config, readBuiltFiles(DIST))
  },
}
