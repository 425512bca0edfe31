/** `fundus backup`: makes a backup, also while the service runs; `--rehearse` rehearses a restore instead. */
import { join } from 'node:path'
import { openAdapters } from '../../adapters/adapters.ts'
import { newId } from '../../base/ids.ts'
import type { TextPair } from '../../base/language.ts'
import { createLog } from '../../base/log.ts'
import { VERSION } from '../../base/version.ts'
import type { BackupReport } from '../../contract/service/backup.ts'
import { ownValue } from '../../contract/values/own-value.ts'
import { ENGLISH_SENTENCES } from '../../contract/words/english.ts'
import { backupTrouble } from '../../errors/errors.ts'
import { sentencePair } from '../../errors/failure.ts'
import { createBackup } from '../../features/backup/backup.ts'
import { createTargetWarnings } from '../../features/backup/places/target-warnings.ts'
import { createTargetNames, type Targets } from '../../features/backup/places/targets.ts'
import { createNotifier } from '../../features/notify/notify.ts'
import { createSettings } from '../../features/settings/settings.ts'
import { type Command, CommandFailure, UsageError } from './command.ts'
import { parseOptions } from './options.ts'
import { rehearse, STOP_SIGNALS } from './rehearse.ts'

export const command: Command = {
  help: [
    `fundus backup [--list-only] [--json]
fundus backup --rehearse [--json]

  Schreibt ein Archiv nach SICHERUNG_ZIEL, kopiert es nach SICHERUNG_ZWEITZIEL und vergleicht die Kopie. Läuft schon
  eine Sicherung, wird auf sie gewartet.

  --list-only         nur die Datenbank, ohne den Inhalt der Dateien: für Objektspeicher, die selbst Kopien halten
  --rehearse          probt die Wiederherstellung, statt zu sichern: legt aus dem neuesten Archiv einen Bestand in einem
                      Ordner auf Zeit an und vergleicht alle Zeilen und eine Stichprobe der Dateien
  --json              den Bericht als JSON ausgeben

  Rückgabewert: 0 alles gelang, 1 etwas misslang, 2 so nicht ausführbar; dann wurde nichts gesichert.`,
    `fundus backup [--list-only] [--json]
fundus backup --rehearse [--json]

  Writes an archive to SICHERUNG_ZIEL, copies it to SICHERUNG_ZWEITZIEL and compares the copy. A backup that is running already is
  waited for.

  --list-only         only the database, without the contents of the files: for object stores that keep copies themselves
  --rehearse          rehearses a restore instead: makes an instance from the newest archive in a temporary folder and
                      compares all rows and a sample of the files
  --json              print the report as JSON

  Exit code: 0 everything succeeded, 1 something failed, 2 cannot be run like this; then nothing was backed up.`,
  ],

  async run({ config, log, args, formatter, print, printToStderr, startProgress, lowerOwnPriority }) {
    const { localize } = formatter
    const options = parseOptions(args, {
      json: { type: 'boolean' },
      'list-only': { type: 'boolean' },
      rehearse: { type: 'boolean' },
    })
    const { json = false, 'list-only': onlyRows = false } = options
    if (options.rehearse && onlyRows)
      throw new UsageError(
        '„--rehearse“ und „--list-only“ gehen nicht zusammen.',
        '“--rehearse” and “--list-only” exclude each other.',
      )
    lowerOwnPriority()
    await using adapters = await openAdapters(config, { log })
    const { database, storage, now } = adapters
    if (onlyRows && !storage.isShared) throw new UsageError(...sentencePair(backupTrouble.listWithoutStore()))
    const settings = createSettings({ environment: config.environment, port: config.port, database })
    const targets = createTargetNames({ ...adapters, settings, dataDir: config.dataDir }).current()
    // Only unexpected errors are printed; expected failures are part of the report.
    const errorLog = createLog({ level: 'error', isHumanReadable: true, write: printToStderr })
    const parts = {
      ...adapters,
      settings,
      log: errorLog,
      newId,
      dataDir: config.dataDir,
      version: VERSION,
      notify: createNotifier({ database, settings, now, log: errorLog }),
      warningsFor: createTargetWarnings(config),
    }
    const backup = createBackup(parts)
    if (options.rehearse)
      return await rehearse({ ...parts, backup }, { json, formatter, print, startProgress })
    const stop = () => void backup.stop()
    for (const signal of STOP_SIGNALS) process.once(signal, stop)
    const progress = startProgress('Sicherung', 'Backup')
    try {
      const backupRun = await backup.start({ onlyRows, onProgress: progress.update })
      const report = await backupRun.report.finally(progress.end)
      if (json) print(JSON.stringify(report))
      else if (report.archiv !== null)
        print(
          `${join(targets.firstFolder, report.archiv)}: ${formatter.formatSize(report.bytes)}, ${report.orte === 1 ? localize('an einem Ort', 'in one place') : localize(`an ${report.orte} Orten`, `in ${report.orte} places`)}.`,
        )
      if (!json)
        for (const [index, warning] of report.warnungen.entries())
          print(
            localize(
              `Achtung: ${warning}`,
              `Warning: ${ownValue(ENGLISH_SENTENCES, report.warnungen_codes?.[index] ?? '') ?? warning}`,
            ),
          )
      if (!report.ok) throw new CommandFailure(...failureTextOf(report, targets))
    } finally {
      await backup.stop()
      for (const signal of STOP_SIGNALS) process.off(signal, stop)
    }
  },
}

/**
 * The error of a failed backup. The report has German sentences with their codes. The English sentences do
 * not name the targets, so sentences that name them are appended.
 */
function failureTextOf(
  { fehler = '', fehler_codes = [] }: BackupReport,
  { firstFolder: firstTarget, secondFolder: secondTarget }: Targets,
): TextPair {
  const targetSentences = [
    `SICHERUNG_ZIEL is ${firstTarget}.`,
    secondTarget && `SICHERUNG_ZWEITZIEL is ${secondTarget}.`,
  ]
  const sentences = [
    ...fehler_codes.map(code => ownValue(ENGLISH_SENTENCES, code) ?? ''),
    ...targetSentences,
  ].filter(Boolean)
  return [fehler, fehler_codes.length === 0 ? fehler : sentences.join(' ')]
}
