/** `fundus import`: copies files from elsewhere into a running service and prints old and new addresses. */
import { mkdir } from 'node:fs/promises'
import { removeTree } from '../../../storage/local/remove-tree.ts'
import { checkAccess } from '../../client/deliver.ts'
import { createImporter, type ImportEntry } from '../../client/import.ts'
import { formatImportTable, IMPORT_OUTPUTS, type ImportRow, SQL_TEMPLATE } from '../../client/import-table.ts'
import { type Journal, openJournal } from '../../client/journal.ts'
import { type PlannedFile, planPaths } from '../../client/plan.ts'
import { processItems } from '../../client/process-items.ts'
import { RETRY_POLICY } from '../../client/retries.ts'
import type { ImportItem } from '../../client/sources/item.ts'
import type { Formatter } from '../../formatter.ts'
import { type Command, CommandFailure, UsageError } from '../command.ts'
import { LINK_HELP, LINK_OPTIONS, readLinkOptions } from '../link-input.ts'
import { parseWords } from '../options.ts'
import {
  CLIENT_HELP,
  CLIENT_OPTIONS,
  connectToService,
  readChoice,
  readConcurrency,
  readNumber,
  readTarget,
  readToken,
  reportUnfitFiles,
  reportUnprocessedFiles,
  withCommandErrors,
} from './client-input.ts'
import { readSource } from './import-source.ts'

const OPTIONS = {
  ...CLIENT_OPTIONS,
  ...LINK_OPTIONS,
  overwrite: { type: 'boolean', default: false },
  flat: { type: 'boolean', default: false },
  'old-base': { type: 'string' },
  user: { type: 'string' },
  header: { type: 'string', multiple: true, default: [] as string[] },
  'per-second': { type: 'string', default: '20' },
  journal: { type: 'string', default: 'fundus-import.jsonl' },
  sql: { type: 'string', default: SQL_TEMPLATE },
} as const

const MAX_REQUESTS_PER_SECOND = 1000

export const command: Command = {
  keepsUser: true,
  help: [
    `fundus import <Quelle> <Ziel> [Optionen]

  Die Quelle ist
    eine Textdatei oder - (Standardeingabe)   je Zeile eine Adresse, dahinter nach Wunsch ihr neuer Pfad
    ein Ordner oder ein ZIP                   --old-base sagt, unter welcher Adresse die Dateien bisher lagen
    eine JSON-Datei                           Export eines Fundus, oder eine Liste mit url und, wenn da, path, filename
    https://… mit --user                      ein anderer Fundus; das Passwort aus FUNDUS_PASSWORD oder verdeckt gefragt
    https://…                                 die Liste eines anderen Hosts als JSON; sein Schlüssel mit --header
  Das Ziel ist eine Adresse mit Ordner wie bei „fundus push“. Namen bleiben (klein geschrieben), auch die Ordner der
  alten Adresse. Ein abgebrochener Lauf wird fortgesetzt, indem man ihn noch einmal startet: das Journal weiß, was fertig ist.

${CLIENT_HELP[0]}
${LINK_HELP[0]}
  --overwrite         ersetzen, was unter dem Pfad schon anderes liegt; sonst bleibt es und wird gemeldet
  --flat              nur den letzten Teil der alten Adresse als Namen nehmen
  --per-second <Zahl> höchstens so viele Abrufe in der Sekunde bei der Quelle (20)
  --header <Kopf>     für den Abruf der Liste, zum Beispiel "Authorization: …"; darf mehrmals stehen
  --journal <Datei>   wo das Journal liegt (fundus-import.jsonl im laufenden Ordner)
  --output <Form>     ${IMPORT_OUTPUTS.join(', ')}: die Tabelle alte Adresse → neue Adresse auf der Standardausgabe (text)
  --sql <Vorlage>     für --output sql; {old} und {new} (oder {alt} und {neu}) werden ersetzt
                      (${SQL_TEMPLATE})

  Rückgabewert: 0 alles ist dort, 1 etwas misslang, 2 so nicht ausführbar; dann wurde nichts geholt.`,
    `fundus import <source> <target> [options]

  The source is
    a text file or - (standard input)         an address in each line, behind it, if wanted, its new path
    a folder or a ZIP                         --old-base says at which address the files were so far
    a JSON file                               the export of a Fundus, or a list with url and, where given, path, filename
    https://… with --user                     another Fundus; the password from FUNDUS_PASSWORD, or asked for, hidden
    https://…                                 the list of another host as JSON; its key with --header
  The target is an address with a folder as for “fundus push”. Names stay (in lower case), and so do the folders of the old
  address. A run that broke off is continued by starting it again: the journal knows what is done.

${CLIENT_HELP[1]}
${LINK_HELP[1]}
  --overwrite         replace what else lies under the path; otherwise it stays and is reported
  --flat              take only the last part of the old address as the name
  --per-second <n>    at most so many requests per second to the source (20)
  --header <header>   for fetching the list, for example "Authorization: …"; may be given more than once
  --journal <file>    where the journal is (fundus-import.jsonl in the current folder)
  --output <form>     ${IMPORT_OUTPUTS.join(', ')}: the table old address → new address on standard output (text)
  --sql <template>    for --output sql; {old} and {new} are replaced
                      (${SQL_TEMPLATE})

  Exit code: 0 everything is there, 1 something failed, 2 cannot be run like this; then nothing was fetched.`,
  ],

  async run({ config, args, formatter, print, printToStderr, startProgress, readInput }) {
    const { localize, formatNumber } = formatter
    const { values, positionals } = parseWords(args, OPTIONS, 2)
    const output = readChoice('output', values.output, IMPORT_OUTPUTS)
    const concurrency = readConcurrency(values.parallel)
    const linkOptions = readLinkOptions(values.links, { formatter, printToStderr })
    const requestsPerSecond = readNumber('per-second', values['per-second'], { max: MAX_REQUESTS_PER_SECOND })
    const { overwrite, 'dry-run': dryRun, 'clean-names': cleanNames, 'skip-invalid': skipInvalid } = values
    if (positionals[0] === undefined)
      throw new UsageError(
        'Es fehlt die Quelle; welche es gibt, sagt „fundus help import“.',
        'The source is missing; “fundus help import” says which there are.',
      )
    const target = readTarget(positionals[1], 'import')
    const token = await readToken(values.token, config.environment)

    await withCommandErrors(async () => {
      const journal = await openImportJournal(values.journal, `${target.origin}/${target.prefix}`)
      const {
        items,
        count: entryCount,
        total: statedTotal,
      } = await readSource(positionals[0]!, {
        ...values,
        links: linkOptions,
        requestsPerSecond,
        environment: config.environment,
        localize,
        readInput,
      })
      const uploadPlan = planPaths(items, { prefix: target.prefix, cleanNames })
      reportUnfitFiles(uploadPlan, { skipInvalid, cleanNames, formatter, printToStderr })
      const { service, deliver } = await connectToService(target, {
        token,
        environment: config.environment,
        overwrite,
        dryRun: false,
      })
      if (uploadPlan.plannedFiles[0]) await checkAccess(service, uploadPlan.plannedFiles[0].path)
      const scratchFolder = `${values.journal}.teile`
      const importer = createImporter({
        service,
        retryPolicy: RETRY_POLICY,
        deliver,
        journal,
        scratchFolder,
        overwrite,
      })
      // A run that was killed may have left partial files in this folder.
      await removeTree(scratchFolder)
      if (!dryRun) await mkdir(scratchFolder, { recursive: true })
      try {
        const progress = startProgress('Import', 'Import', 'files')
        const { outcomes: rows, endingError } = await processItems<PlannedFile<ImportItem>, ImportRow>(
          uploadPlan.plannedFiles,
          {
            concurrency,
            processItem: dryRun ? importer.preview : importer.importItem,
            outcomeOfFailure: ({ item, path }, { sentence, english }) => ({
              from: item.from,
              path,
              status: 'failed',
              why: localize(sentence, english),
            }),
            onOutcome: (_, doneCount) => progress.update(doneCount, uploadPlan.plannedFiles.length),
          },
        ).finally(progress.end)
        print(await formatImportTable(rows, output, { template: values.sql }))
        const failedCount = reportFailures(rows, formatter, printToStderr)
        if (endingError) {
          const processedSources = new Set(rows.map(({ from }) => from))
          const unprocessedSources = uploadPlan.plannedFiles
            .map(({ item }) => item.from)
            .filter(from => !processedSources.has(from))
          reportUnprocessedFiles(unprocessedSources, { formatter, printToStderr })
          throw endingError
        }
        if (failedCount > 0 && !dryRun)
          throw new CommandFailure(
            `${formatNumber(failedCount)} von ${formatNumber(rows.length)} Dateien sind nicht angekommen. Ein neuer Start versucht nur diese noch einmal.`,
            `${formatNumber(failedCount)} of ${formatNumber(rows.length)} files have not arrived. A new start tries only these again.`,
          )
        if (statedTotal !== null && statedTotal > entryCount)
          throw new CommandFailure(
            `Die Liste nennt ${formatNumber(statedTotal)} Dateien, enthielt aber nur ${formatNumber(entryCount)} und keine Adresse der nächsten Seite. Bitte die übrigen Seiten einzeln importieren.`,
            `The list announces ${formatNumber(statedTotal)} files, but had only ${formatNumber(entryCount)} and no address of a next page. Please import the other pages one by one.`,
          )
      } finally {
        await removeTree(scratchFolder)
      }
    })
  },
}

/**
 * Opens the journal. Its first line names the target, so that the journal of one target cannot be used for
 * another.
 */
async function openImportJournal(file: string, target: string): Promise<Journal<ImportEntry>> {
  type JournalLine = ImportEntry | { target: string }
  const { entries, add } = await openJournal<JournalLine>(file)
  const [firstEntry] = entries
  if (firstEntry && (!('target' in firstEntry) || firstEntry.target !== target))
    throw new UsageError(
      `Das Journal ${file} gehört zu einem anderen Ziel${'target' in firstEntry ? ` (${firstEntry.target})` : ''}. Bitte mit --journal eine andere Datei nennen.`,
      `The journal ${file} belongs to another target${'target' in firstEntry ? ` (${firstEntry.target})` : ''}. Please name another file with --journal.`,
    )
  let firstLineWrite: Promise<void> | undefined = firstEntry && Promise.resolve()
  return {
    entries: entries.filter(entry => 'from' in entry),
    async add(entry) {
      firstLineWrite ??= add({ target })
      await firstLineWrite
      await add(entry)
    },
  }
}

/**
 * Prints to standard error the items that failed or whose path has another file; the table goes to standard
 * output. Returns the number of these items.
 */
function reportFailures(
  rows: readonly ImportRow[],
  { localize, listLines }: Formatter,
  printToStderr: (text: string) => void,
): number {
  const failedRows = rows.filter(({ status }) => status === 'failed' || status === 'kept')
  const names = failedRows.map(
    ({ from, path, why: reason }) =>
      `${from}: ${reason ?? localize(`unter „${path}“ liegt schon etwas anderes.`, `there is something else at “${path}” already.`)}`,
  )
  if (failedRows.length > 0)
    printToStderr(
      `${listLines(localize('Misslungen', 'Failed'), { count: failedRows.length, names }).slice(1).join('\n')}\n`,
    )
  return failedRows.length
}
