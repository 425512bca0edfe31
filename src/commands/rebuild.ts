/** `fundus rebuild`: makes a new database from the stored objects. */
import { beginNewIndex } from '../adapters.ts'
import type { Config } from '../config.ts'
import { formatBytes } from '../contract/bytes.ts'
import { openDataFolder } from '../data-folder.ts'
import { DatabaseInUse, type NewIndex } from '../database/replacement.ts'
import { type RebuildReport, rebuildIndex } from '../features/rebuild/rebuild.ts'
import { type Command, UsageError } from './command.ts'
import { parseOptions } from './options.ts'
import { number, section } from './printing.ts'
import { createProgress } from './progress.ts'

/** Milliseconds that a service on the configured port gets to answer. */
const PROBE_TIMEOUT = 1_000

export const command: Command = {
  help: `fundus rebuild [--auslassen] [--json]

  Für den Fall, dass die Datenbank verloren ist und keine Sicherung hilft: liest alle Dateien in DATA_DIR und macht daraus
  eine neue Datenbank mit jedem Pfad, jeder Prüfsumme und dem Papierkorb. Der Dienst muss beendet sein. Enthält die
  vorhandene Datenbank noch Dateien, geschieht nichts; eine leere oder beschädigte wird umbenannt, nie gelöscht. Ein
  abgebrochener Lauf geht beim nächsten Mal dort weiter, wo er war. Mit Objektspeicher geht das nicht: dort hilft nur
  fundus restore.

  Nicht zurück kommen: Konten, Tokens, Einstellungen, Freigaben, Verlauf, Zähler und mit X-Mime gesetzte Typen.

  --auslassen         auch fertigstellen, wenn sich Dateien nicht lesen lassen. Sie sind dann nicht dabei, und der nächste
                      nächtliche Abgleich entfernt sie: vorher kopieren, was davon zu retten ist.
  --json              Bericht als JSON`,

  async run({ config, log, args, print, complain, fail }) {
    const { json, auslassen } = parseOptions(args, {
      auslassen: { type: 'boolean' },
      json: { type: 'boolean' },
    })
    refuseShared(config)
    await refuseRunningService(config)
    const index = await beginNewIndex(config).catch(refuseInUse)
    try {
      await refuseUnfit(index, config)
      await openDataFolder(config.dataDir, log)
      const report = await build(index, complain).catch(refuseInUse)
      if (report.unreadable.count > 0 && !auslassen) {
        print(json ? JSON.stringify({ ...report, done: false }) : unfinished(report))
        return fail()
      }
      const kept = await index.swap()
      print(json ? JSON.stringify({ ...report, done: true, aside: kept }) : readable(report, kept))
    } finally {
      await index.release()
    }
  },
}

/** There an object keeps its first name: renamed files would get old paths, and deleted ones would be public again. */
function refuseShared({ shared }: Config): void {
  if (!shared) return
  throw new UsageError(
    'Aus dem Objektspeicher lässt sich die Datenbank nicht aufbauen: Die Namen dort folgen weder Umbenennen noch Löschen. ' +
      'Bitte aus einer Sicherung wiederherstellen: fundus restore <Archiv> --force',
  )
}

function refuseInUse(error: unknown): never {
  if (!(error instanceof DatabaseInUse)) throw error
  throw new UsageError('Die Datenbank ist in Gebrauch. Bitte zuerst den Dienst oder anderen Befehl beenden.')
}

function build(index: NewIndex, complain: (text: string) => void): Promise<RebuildReport> {
  const progress = createProgress({ label: 'Wiederaufbau', unit: 'bytes', write: complain })
  return index
    .resume((database, storage) =>
      rebuildIndex({ database, storage, now: Date.now, onProgress: progress.at }),
    )
    .finally(progress.end)
}

async function refuseUnfit(index: NewIndex, { dataDir }: Config): Promise<void> {
  if (!(await index.liveHasObjects()))
    throw new UsageError(`In ${dataDir} liegen keine Dateien von Fundus. Stimmt DATA_DIR?`)
  if (await index.liveHasRows(['media', 'trash']))
    throw new UsageError(
      `Die Datenbank in ${dataDir} enthält Dateien und bleibt, wie sie ist. Ob sie stimmt, sagt „fundus check“; ist sie ` +
        'unbrauchbar, bitte umbenennen (samt -wal und -shm) und diesen Befehl noch einmal geben.',
    )
}

/**
 * Refuses when a service answers on the configured port. The check of the database file does not suffice: if the file
 * was deleted while a service runs, no file shows that the service still has it open.
 */
async function refuseRunningService({ host, port }: Config): Promise<void> {
  if (port === 0) return
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  const answer = await fetch(`http://${name}:${port}/health`, {
    signal: AbortSignal.timeout(PROBE_TIMEOUT),
    redirect: 'manual',
  }).catch(() => null)
  if (!answer?.ok) return
  throw new UsageError(
    `Auf Port ${port} antwortet ein Dienst. Bitte zuerst beenden; ist es ein anderer als Fundus, PORT für diesen ` +
      'Befehl auf 0 setzen.',
  )
}

const namesOf = ({ count, first }: RebuildReport['foreign']) => ({ count, names: first })

/** The report when files could not be read. A database without these files would make the next sweep remove them. */
function unfinished({ files, unreadable }: RebuildReport): string {
  return [
    `${number(files)} Dateien sind gelesen, aber nicht alle ließen sich lesen. Die Datenbank ist noch nicht ersetzt.`,
    ...section('Nicht lesbar', namesOf(unreadable)),
    '',
    'Oft fehlen nur Rechte. Ist die Ursache behoben, den Befehl noch einmal geben: er liest nur, was noch fehlt.',
    'Ohne diese Dateien fertigstellen: fundus rebuild --auslassen',
  ].join('\n')
}

function readable(report: RebuildReport, kept: string | null): string {
  return [
    `Wieder da: ${number(report.files)} Dateien und ${number(report.trash)} im Papierkorb, zusammen ${formatBytes(report.bytes)}.`,
    ...(report.toDerive > 0
      ? [`Für ${number(report.toDerive)} davon macht der Dienst Vorschau oder WebP-Fassung neu.`]
      : []),
    ...(kept ? [`Die bisherige Datenbank heißt jetzt ${kept}.`] : []),
    ...section('Mehrere Objekte für eine Datei; das jüngere gilt, das andere bleibt ohne Eintrag liegen', {
      count: report.rivalries.count,
      names: report.rivalries.first.map(({ path, kept, left }) => `${path}: ${kept} statt ${left}`),
    }),
    ...section('Nicht lesbar und darum nicht dabei', namesOf(report.unreadable)),
    ...section('Fremde Dateien in der Ablage, unberührt', namesOf(report.foreign)),
    '',
    'Nicht zurückgekommen, weil es nur in der Datenbank stand: Konten, Tokens (auch wem eine Datei gehört),',
    'Einstellungen, Freigaben, Verlauf, Zähler, mit X-Mime gesetzte Typen und wer etwas gelöscht hat.',
    'Jetzt den Dienst starten; ohne Konto steht der Einrichtungscode im Protokoll.',
  ].join('\n')
}
