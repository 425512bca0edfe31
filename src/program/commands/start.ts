/** `fundus start`: starts the service. */
import { readBuiltFiles } from '../../features/web/built-files.ts'
import { WORKER_VARIABLE } from '../../service/workers/messages.ts'
import { workerCount } from '../../service/workers/worker-count.ts'
import { buildDashboardIfNeeded, DASHBOARD_DIST_FOLDER } from './build-dashboard.ts'
import type { Command } from './command.ts'
import { parseOptions } from './options.ts'

export const command: Command = {
  keepsUser: true,
  help: [
    `fundus start [--no-build]

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
  HTTP_SERVER    fundus, oder bun: der Server der Laufzeit       fundus
  SENDFILE       0: Dateien lesen und schreiben statt sendfile   1 (Linux)
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
    `fundus start [--no-build]

  Starts the service, which runs until Ctrl+C or SIGTERM. Running requests then get up to 30 seconds; a second Ctrl+C ends at
  once. Where the pages of the dashboard are not built yet, or out of date since an update, they are built first, which takes
  some seconds.

  --no-build     do not build, but take what is there

Environment:
  PORT           port on which it listens                        8080
  HOST           address on which it listens                     0.0.0.0
  DATA_DIR       folder for database and files                   ./data
  PUBLIC_URL     public address                                  http://localhost:<PORT>
  MAX_UPLOAD_MB  largest file in megabytes                       64
  FILES_HOST     serve files only under this host name           (empty: under any)
  ADMIN_USER     name of the first account                       admin
  ADMIN_PASSWORD its password; makes the account                 (empty: set-up code in the log)
  WORKERS        processes that share the port (Linux)           1, or auto
  TRUST_PROXY    addresses whose X-Forwarded-For counts          (empty: none)
  SPEICHER_MB    memory for prepared answers                     32 to 128, depending on the machine
  METRICS_TOKEN  key for /metrics                                (empty: from the same machine only)
  HTTP_SERVER    fundus, or bun: the server of the runtime       fundus
  SENDFILE       0: read and write files instead of sendfile     1 (Linux)
  LOG_LEVEL      debug, info, warn or error                      info, at a terminal warn

For several machines, all six or none:
  DATABASE_URL           postgres://…
  S3_ENDPOINT            address of an S3-compatible store
  S3_BUCKET              bucket in it that belongs to Fundus alone
  S3_REGION              its region
  S3_ACCESS_KEY_ID       key
  S3_SECRET_ACCESS_KEY   and its secret
  CACHE_MB               space for files in DATA_DIR/cache       1024

  Every other setting (fundus settings list) can stand under its name in the environment too;
  a saved value goes before it.`,
  ],

  async run({ config, args, formatter, fail }) {
    const skipBuild = parseOptions(args, { 'no-build': { type: 'boolean' } })['no-build']
    if (!skipBuild) await buildDashboardIfNeeded(formatter.localize)
    // The service is imported only here, because it takes long to load, and neither the help text nor the
    // supervisor needs it.
    if (config.environment[WORKER_VARIABLE] !== undefined) {
      const { runWorker } = await import('../../service/workers/worker.ts')
      return runWorker(config, readBuiltFiles(DASHBOARD_DIST_FOLDER))
    }
    const count = workerCount(config)
    if (count > 1) {
      const { runSupervisor } = await import('../../service/workers/supervisor.ts')
      return fail(await runSupervisor(config, count))
    }
    const { runService } = await import('../../service/main.ts')
    await runService(config, readBuiltFiles(DASHBOARD_DIST_FOLDER))
  },
}
