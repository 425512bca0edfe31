/** `fundus rebuild`: makes a new database from the stored objects. */
import { beginNewDatabase } from '../../adapters/adapters.ts'
import { openDataFolder } from '../../adapters/data-folder.ts'
import type { TextPair } from '../../base/language.ts'
import type { Config } from '../../config/config.ts'
import { DatabaseInUseError, type DatabaseReplacement } from '../../database/replacement.ts'
import { type RebuildReport, rebuildIndex } from '../../features/rebuild/rebuild.ts'
import type { Formatter } from '../formatter.ts'
import { type Command, type CommandContext, UsageError } from './command.ts'
import { parseOptions } from './options.ts'

/** Milliseconds within which a service on the configured port must answer, if one is running there. */
const PROBE_TIMEOUT = 1_000

export const command: Command = {
  help: [
    `fundus rebuild [--skip-missing] [--json]

  Für den Fall, dass die Datenbank verloren ist und keine Sicherung hilft: liest alle Dateien in DATA_DIR und macht daraus
  eine neue Datenbank mit jedem Pfad, jeder Prüfsumme und dem Papierkorb. Der Dienst muss beendet sein. Enthält die
  vorhandene Datenbank noch Dateien, geschieht nichts; eine leere oder beschädigte wird umbenannt, nie gelöscht. Ein
  abgebrochener Lauf geht beim nächsten Mal dort weiter, wo er war. Mit Objektspeicher geht das nicht: dort hilft nur
  fundus restore.

  Nicht zurück kommen: Konten, Tokens, Einstellungen, Freigaben, Verlauf, Zähler und mit X-Mime gesetzte Typen.

  --skip-missing      auch fertigstellen, wenn sich Dateien nicht lesen lassen. Sie sind dann nicht dabei, und der nächste
                      nächtliche Abgleich entfernt sie: vorher kopieren, was davon zu retten ist.
  --json              Bericht als JSON`,
    `fundus rebuild [--skip-missing] [--json]

  For the case that the database is lost and no backup helps: reads all files in DATA_DIR and makes a new database of them, with
  every path, every checksum and the trash. The service must be stopped. While the present database still knows files, nothing is
  done; an empty or damaged one is renamed, never deleted. A run that broke off goes on where it was. With an object store this
  is impossible: there only fundus restore helps.

  Not brought back: accounts, tokens, settings, share links, history, counters and types that were set with X-Mime.

  --skip-missing      finish also when files cannot be read. They are then not included, and the next nightly sweep removes
                      them: copy what can be saved of them before.
  --json              report as JSON`,
  ],

  async run({ config, log, args, formatter, print, startProgress, fail }) {
    const { json, 'skip-missing': skipMissing } = parseOptions(args, {
      'skip-missing': { type: 'boolean' },
      json: { type: 'boolean' },
    })
    refuseObjectStore(config)
    await refuseRunningService(config)
    const newDatabase = await beginNewDatabase(config).catch(refuseDatabaseInUse)
    try {
      await refuseUnfitFolder(newDatabase, config)
      await openDataFolder(config.dataDir, log)
      const report = await rebuildDatabase(newDatabase, { startProgress }).catch(refuseDatabaseInUse)
      if (report.unreadable.count > 0 && !skipMissing) {
        print(json ? JSON.stringify({ ...report, done: false }) : unfinishedReport(report, formatter))
        return fail()
      }
      const keptName = await newDatabase.swap()
      print(
        json
          ? JSON.stringify({ ...report, done: true, aside: keptName })
          : finishedReport(report, keptName, formatter),
      )
    } finally {
      await newDatabase.release()
    }
  },
}

/**
 * Refuses to rebuild from an object store. There, objects keep their first name: renamed files would get
 * their old paths, and deleted files would be public again.
 */
function refuseObjectStore({ sharedServices }: Config): void {
  if (!sharedServices) return
  throw new UsageError(
    'Aus dem Objektspeicher lässt sich die Datenbank nicht aufbauen: Die Namen dort folgen weder Umbenennen noch Löschen. ' +
      'Bitte aus einer Sicherung wiederherstellen: fundus restore <Archiv> --force',
    'The database cannot be made from the object store: the names there follow neither renaming nor deleting. ' +
      'Please restore a backup: fundus restore <archive> --force',
  )
}

function refuseDatabaseInUse(error: unknown): never {
  if (!(error instanceof DatabaseInUseError)) throw error
  throw new UsageError(
    'Die Datenbank ist in Gebrauch. Bitte zuerst den Dienst oder anderen Befehl beenden.',
    'The database is in use. Please stop the service or the other command first.',
  )
}

function rebuildDatabase(
  newDatabase: DatabaseReplacement,
  { startProgress }: Pick<CommandContext, 'startProgress'>,
): Promise<RebuildReport> {
  const progress = startProgress('Wiederaufbau', 'Rebuild')
  return newDatabase
    .fillOrResume((database, storage) =>
      rebuildIndex({ database, storage, now: Date.now, onProgress: progress.update }),
    )
    .finally(progress.end)
}

async function refuseUnfitFolder(newDatabase: DatabaseReplacement, { dataDir }: Config): Promise<void> {
  if (!(await newDatabase.liveHasObjects()))
    throw new UsageError(
      `In ${dataDir} liegen keine Dateien von Fundus. Stimmt DATA_DIR?`,
      `There are no files of Fundus in ${dataDir}. Is DATA_DIR right?`,
    )
  if (await newDatabase.liveHasRows(['media', 'trash']))
    throw new UsageError(
      `Die Datenbank in ${dataDir} enthält Dateien und bleibt, wie sie ist. Ob sie stimmt, sagt „fundus check“; ist sie ` +
        'unbrauchbar, bitte umbenennen (samt -wal und -shm) und diesen Befehl noch einmal geben.',
      `The database in ${dataDir} has files and stays as it is. “fundus check” says whether it is right; if it is of no use, ` +
        'please rename it (with -wal and -shm) and give this command again.',
    )
}

/**
 * Refuses to rebuild while a service answers on the configured port. Checking the database file is not
 * enough: if it was deleted while a service runs, no file shows that the service still has it open.
 */
async function refuseRunningService({ host, port }: Config): Promise<void> {
  if (port === 0) return
  const hostName = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  const answer = await fetch(`http://${hostName}:${port}/health`, {
    signal: AbortSignal.timeout(PROBE_TIMEOUT),
    redirect: 'manual',
  }).catch(() => null)
  if (!answer?.ok) return
  throw new UsageError(
    `Auf Port ${port} antwortet ein Dienst. Bitte zuerst beenden; ist es ein anderer als Fundus, PORT für diesen ` +
      'Befehl auf 0 setzen.',
    `A service answers on port ${port}. Please stop it first; if it is another than Fundus, set PORT to 0 for this command.`,
  )
}

const toCountedNames = ({ count, first }: RebuildReport['foreign']) => ({ count, names: first })

/**
 * The report if some files could not be read and `--skip-missing` was not typed. The database is then not
 * replaced: these files would be missing in the new one, and the next sweep could delete them.
 */
function unfinishedReport(
  { files, unreadable: unreadableFiles }: RebuildReport,
  { localize, formatNumber, listLines }: Formatter,
): string {
  return [
    localize(
      `${formatNumber(files)} Dateien sind gelesen, aber nicht alle ließen sich lesen. Die Datenbank ist noch nicht ersetzt.`,
      `${formatNumber(files)} files were read, but not all could be read. The database is not replaced yet.`,
    ),
    ...listLines(localize('Nicht lesbar', 'Not readable'), toCountedNames(unreadableFiles)),
    '',
    localize(
      `Oft fehlen nur Rechte. Ist die Ursache behoben, den Befehl noch einmal geben: er liest nur, was noch fehlt.
Ohne diese Dateien fertigstellen: fundus rebuild --skip-missing`,
      `Often only rights are missing. Once the cause is fixed, run the command again: it reads only what is still missing.
To finish without these files: fundus rebuild --skip-missing`,
    ),
  ].join('\n')
}

function finishedReport(report: RebuildReport, keptName: string | null, formatter: Formatter): string {
  const { localize, formatNumber, listLines } = formatter
  const [files, trash, sizeText] = [
    formatNumber(report.files),
    formatNumber(report.trash),
    formatter.formatSize(report.bytes),
  ]
  const toDeriveText = formatNumber(report.toDerive)
  return [
    localize(
      `Wieder da: ${files} Dateien und ${trash} im Papierkorb, zusammen ${sizeText}.`,
      `Back again: ${files} files and ${trash} in the trash, ${sizeText} altogether.`,
    ),
    ...(report.toDerive > 0
      ? [
          localize(
            `Für ${toDeriveText} davon macht der Dienst Vorschau oder WebP-Fassung neu.`,
            `For ${toDeriveText} of them the service makes preview or WebP variant anew.`,
          ),
        ]
      : []),
    ...(keptName
      ? [
          localize(
            `Die bisherige Datenbank heißt jetzt ${keptName}.`,
            `The database so far is now called ${keptName}.`,
          ),
        ]
      : []),
    ...listLines(
      localize(
        'Mehrere Objekte für eine Datei: das jüngere gilt, ein überschriebenes liegt im Papierkorb, ein zweiter Name desselben bleibt ohne Eintrag',
        'Several objects for one file: the later one counts, an overwritten one is in the trash, a second name of the same one stays without a record',
      ),
      {
        count: report.rivalries.count,
        names: report.rivalries.first.map(
          ({ path, kept: keptObject, left: leftObject }) =>
            `${path}: ${keptObject} ${localize('statt', 'instead of')} ${leftObject}`,
        ),
      },
    ),
    ...listLines(
      localize('Nicht lesbar und darum nicht dabei', 'Not readable and so not included'),
      toCountedNames(report.unreadable),
    ),
    ...listLines(
      localize('Fremde Dateien in der Ablage, unberührt', 'Foreign files in the store, left alone'),
      toCountedNames(report.foreign),
    ),
    '',
    localize(...LOST_DATA_NOTE),
  ].join('\n')
}

const LOST_DATA_NOTE: TextPair = [
  `Nicht zurückgekommen, weil es nur in der Datenbank stand: Konten, Tokens (auch wem eine Datei gehört),
Einstellungen, Freigaben, Verlauf, Zähler, mit X-Mime gesetzte Typen und wer etwas gelöscht hat.
Jetzt den Dienst starten; ohne Konto steht der Einrichtungscode im Protokoll.`,
  `Not brought back, because it stood in the database only: accounts, tokens (and whose a file is), settings, share links,
history, counters, types set with X-Mime, and who deleted something.
Now start the service; without an account the set-up code is in the log.`,
]
