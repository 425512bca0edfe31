/** `fundus backup`: writes everything into one archive, also while the service runs. */
import { openAdapters } from '../adapters.ts'
import { formatBytes } from '../contract/bytes.ts'
import { createBackup } from '../features/backup/backup.ts'
import { createWarnings } from '../features/backup/warnings.ts'
import { createNotify } from '../features/notify/notify.ts'
import { createSettings } from '../features/settings/settings.ts'
import { newId } from '../ids.ts'
import { createLog } from '../log.ts'
import { VERSION } from '../version.ts'
import { type Command, CommandFailure } from './command.ts'
import { parseOptions } from './options.ts'
import { createProgress } from './progress.ts'

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const

export const command: Command = {
  help: `fundus backup [--nur-liste] [--json]

  Schreibt ein Archiv nach SICHERUNG_ZIEL, kopiert es nach SICHERUNG_ZWEITZIEL und vergleicht die Kopie. Läuft schon
  eine Sicherung, wird auf sie gewartet. Der Rückgabewert ist 0, wenn alles gelang, sonst 1.

  --nur-liste         nur die Datenbank, ohne den Inhalt der Dateien: für Objektspeicher, die selbst Kopien halten
  --json              den Bericht als JSON ausgeben`,

  async run({ config, log, args, print, complain }) {
    const { json, 'nur-liste': onlyList = false } = parseOptions(args, {
      json: { type: 'boolean' },
      'nur-liste': { type: 'boolean' },
    })
    await using adapters = await openAdapters(config, { log })
    const { database, now } = adapters
    const settings = createSettings({ environment: config.environment, port: config.port, saved: database })
    // This log prints only unexpected errors; expected failures are in the report.
    const errors = createLog({ level: 'error', readable: true, write: complain })
    const made = createBackup({
      ...adapters,
      settings,
      notify: createNotify({ database, settings, now, log: errors }),
      log: errors,
      dataDir: config.dataDir,
      version: VERSION,
      newId,
      warningsFor: createWarnings(config),
    })
    const stop = () => void made.stop()
    for (const signal of STOP_SIGNALS) process.once(signal, stop)
    const progress = createProgress({ label: 'Sicherung', unit: 'bytes', write: complain })
    try {
      const report = await made.report(await made.start({ onlyList }), progress.at).finally(progress.end)
      if (json) print(JSON.stringify(report))
      else if (report.archiv !== null)
        print(
          `${report.archiv}: ${formatBytes(report.bytes)}, an ${report.orte === 1 ? 'einem Ort' : 'zwei Orten'}.`,
        )
      if (!json) for (const warning of report.warnungen) print(`Achtung: ${warning}`)
      if (!report.ok) throw new CommandFailure(report.fehler ?? '')
    } finally {
      await made.stop()
      for (const signal of STOP_SIGNALS) process.off(signal, stop)
    }
  },
}
