/** `fundus push`: uploads a folder to a running service, from any machine. */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { checkAccess, type Deliver } from '../../client/deliver.ts'
import { type FolderFile, listFolder } from '../../client/folder.ts'
import { type PlannedFile, planPaths } from '../../client/plan.ts'
import { processItems } from '../../client/process-items.ts'
import { fileLine, PUSH_OUTPUTS, type PushedFile, pushReport } from '../../client/push-report.ts'
import { createFolderWatch } from '../../client/watch.ts'
import type { Formatter } from '../../formatter.ts'
import { type Command, CommandFailure, UsageError } from '../command.ts'
import { LINK_HELP, LINK_OPTIONS, type LinkOptions, readLinkOptions } from '../link-input.ts'
import { parseWords } from '../options.ts'
import {
  CLIENT_HELP,
  CLIENT_OPTIONS,
  connectToService,
  readChoice,
  readConcurrency,
  readTarget,
  readToken,
  reportUnfitFiles,
  reportUnprocessedFiles,
  withCommandErrors,
} from './client-input.ts'

const OPTIONS = {
  ...CLIENT_OPTIONS,
  ...LINK_OPTIONS,
  keep: { type: 'boolean', default: false },
  watch: { type: 'boolean', default: false },
} as const

export const command: Command = {
  keepsUser: true,
  help: [
    `fundus push <Ordner> <Ziel> [Optionen]

  Braucht nur eine Adresse und ein Token, keinen eigenen Dienst. Das Ziel ist eine Adresse mit Ordner, zum Beispiel
  https://media.example.org/bilder. Namen werden klein geschrieben. Was dort schon mit gleichem Inhalt liegt, wird nicht
  gesendet: ein abgebrochener Lauf wird fortgesetzt, indem man ihn noch einmal startet. Gelöscht wird dort nie etwas.

${CLIENT_HELP[0]}
${LINK_HELP[0]}
  --keep              liegt unter dem Pfad schon etwas anderes, bleibt es; sonst wird es ersetzt
  --watch             danach dem Ordner folgen, bis Strg+C: Neues und Geändertes senden, sobald es fertig geschrieben ist
  --output <Form>     ${PUSH_OUTPUTS.join(', ')}: die Zusammenfassung mit allen Adressen (text)

  Rückgabewert: 0 alles ist dort, 1 etwas misslang, 2 so nicht ausführbar; dann wurde nichts gesendet.`,
    `fundus push <folder> <target> [options]

  Needs only an address and a token, no service of your own. The target is an address with a folder, for example
  https://media.example.org/pictures. Names are written in lower case. What is there already with the same content is not sent:
  a run that broke off is continued by starting it again. Nothing is ever deleted there.

${CLIENT_HELP[1]}
${LINK_HELP[1]}
  --keep              where something else lies under the path, it stays; otherwise it is replaced
  --watch             follow the folder afterwards, until Ctrl+C: send what is new and changed once it is written
  --output <form>     ${PUSH_OUTPUTS.join(', ')}: the summary with all addresses (text)

  Exit code: 0 everything is there, 1 something failed, 2 cannot be run like this; then nothing was sent.`,
  ],

  async run({ config, args, formatter, print, printToStderr, startProgress, isOutputRead }) {
    const { values, positionals } = parseWords(args, OPTIONS, 2)
    const output = readChoice('output', values.output, PUSH_OUTPUTS)
    const concurrency = readConcurrency(values.parallel)
    const linkOptions = readLinkOptions(values.links, { formatter, printToStderr })
    const folder = await readFolder(positionals[0])
    const target = readTarget(positionals[1], 'push')
    const { 'dry-run': dryRun, 'clean-names': cleanNames, 'skip-invalid': skipInvalid } = values
    const token = await readToken(values.token, config.environment)
    let sentBytes = 0
    let totalBytes = 0
    const progress = startProgress('Hochladen', 'Upload')
    const { service, deliver } = await connectToService(target, {
      token,
      environment: config.environment,
      overwrite: !values.keep,
      dryRun,
      onBytes(count) {
        // While the folder is watched there is no total, and the lines about files show what happens.
        if (values.watch) return
        sentBytes += count
        progress.update(sentBytes, totalBytes)
      },
    })
    const plannedSources = new Map<string, string>()
    const planFiles = (files: readonly FolderFile[]) =>
      planPaths(files, { prefix: target.prefix, cleanNames, plannedSources })

    await withCommandErrors(async () => {
      if (values.watch)
        return watchFolder({
          folder,
          linkOptions,
          planFiles,
          deliver,
          concurrency,
          formatter,
          print,
          printToStderr,
          isOutputRead,
          dryRun,
        })
      const scan = await listFolder(folder, linkOptions)
      linkOptions.report(scan.links, { skipInvalid })
      const uploadPlan = planFiles(scan.files)
      reportUnfitFiles(uploadPlan, { skipInvalid, cleanNames, formatter, printToStderr })
      const { plannedFiles } = uploadPlan
      if (plannedFiles[0]) await checkAccess(service, plannedFiles[0].path)
      totalBytes = plannedFiles.reduce((sum, { item }) => sum + item.size, 0)
      const { outcomes: files, endingError } = await sendFiles(plannedFiles, {
        deliver,
        concurrency,
        formatter,
      }).finally(progress.end)
      print(pushReport(files, output, { prefix: target.prefix, dryRun, formatter }))
      if (endingError) {
        reportUnprocessedFiles(
          plannedFiles
            .filter(plannedFile => !files.some(({ name }) => name === plannedFile.item.name))
            .map(plannedFile => plannedFile.item.name),
          { formatter, printToStderr },
        )
        throw endingError
      }
      const failedCount = files.filter(({ status }) => status === 'failed').length
      if (failedCount > 0)
        throw new CommandFailure(
          `${failedCount === 1 ? 'Eine Datei ist' : `${failedCount} Dateien sind`} nicht angekommen; oben steht, warum.`,
          `${failedCount === 1 ? 'One file has' : `${failedCount} files have`} not arrived; it says why above.`,
        )
    })
  },
}

async function readFolder(typedFolder: string | undefined): Promise<string> {
  if (typedFolder === undefined)
    throw new UsageError(
      'Es fehlt der Ordner; mehr sagt „fundus help push“.',
      'The folder is missing; “fundus help push” says more.',
    )
  const folder = resolve(typedFolder)
  const stats = await stat(folder).catch(() => null)
  if (!stats?.isDirectory())
    throw new UsageError(`Den Ordner „${typedFolder}“ gibt es nicht.`, `There is no folder “${typedFolder}”.`)
  return folder
}

interface SendParts {
  deliver: Deliver
  concurrency: number
  formatter: Formatter
  onFile?(file: PushedFile): void
}

const sendFiles = (
  plannedFiles: readonly PlannedFile<FolderFile>[],
  { deliver, concurrency, formatter, onFile = () => {} }: SendParts,
) =>
  processItems<PlannedFile<FolderFile>, PushedFile>(plannedFiles, {
    concurrency,
    processItem: async ({ item, path }) => ({
      name: item.name,
      ...(await deliver({ path, file: item.file })),
    }),
    outcomeOfFailure: ({ item: { name, size }, path }, { sentence, english }) => ({
      name,
      path,
      status: 'failed',
      size,
      why: formatter.localize(sentence, english),
    }),
    onOutcome: onFile,
  })

interface WatchFolderParts extends Omit<SendParts, 'onFile'> {
  folder: string
  linkOptions: LinkOptions
  planFiles(files: readonly FolderFile[]): ReturnType<typeof planPaths<FolderFile>>
  print(text: string): void
  printToStderr(text: string): void
  isOutputRead(): boolean
  dryRun: boolean
}

/**
 * Watches the folder and uploads new and changed files; retries while the service is down. Ends when the
 * service refuses every upload, or nobody reads the output.
 */
async function watchFolder({
  folder,
  linkOptions,
  planFiles,
  print,
  printToStderr,
  isOutputRead,
  dryRun,
  ...sendParts
}: WatchFolderParts): Promise<void> {
  const { formatter } = sendParts
  const { localize } = formatter
  const reportedLinks = new Set<string>()
  const listFiles = async () => {
    const scan = await listFolder(folder, linkOptions)
    const newLinks = scan.links.filter(({ name }) => !reportedLinks.has(name))
    for (const { name } of newLinks) reportedLinks.add(name)
    linkOptions.report(newLinks, { skipInvalid: true })
    return scan.files
  }
  const folderWatch = createFolderWatch({ listFiles, now: Date.now, sleep: Bun.sleep })
  print(localize(`Folgt ${folder}, bis Strg+C …`, `Follows ${folder} until Ctrl+C …`))
  for await (const batch of folderWatch.batches()) {
    const { plannedFiles, unfitFiles } = planFiles(batch)
    for (const { source, reason } of unfitFiles)
      print(`${localize('ausgelassen', 'left out')} ${source}: ${localize(...reason)}`)
    const onFile = (file: PushedFile) => {
      if (file.status !== 'present') print(fileLine(file, formatter, dryRun))
    }
    const { outcomes: files, endingError } = await sendFiles(plannedFiles, { ...sendParts, onFile })
    if (!isOutputRead()) return
    if (!endingError) continue
    if (!endingError.isTemporary) throw endingError
    printToStderr(`${localize(endingError.sentence, endingError.english)}\n`)
    const processedNames = new Set(files.map(({ name }) => name))
    folderWatch.yieldAgain(batch.filter(({ name }) => !processedNames.has(name)))
  }
}
