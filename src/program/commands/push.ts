/** `fundus push`: uploads a folder to a running service, from any machine. */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { checkAccess, type Deliver } from '../client/deliver.ts'
import { type FolderFile, filesIn } from '../client/folder.ts'
import { type PathPlan, planPaths } from '../client/plan.ts'
import { fileLine, PUSH_OUTPUTS, type PushedFile, pushReport } from '../client/push-report.ts'
import { createWatch } from '../client/watch.ts'
import { workThrough } from '../client/work-through.ts'
import type { Speech } from '../speech.ts'
import {
  CLIENT_HELP,
  CLIENT_OPTIONS,
  connect,
  inSentences,
  readChoice,
  readParallel,
  readTarget,
  readToken,
  reportUnfit,
  reportUnprocessed,
} from './client-input.ts'
import { type Command, CommandFailure, UsageError } from './command.ts'
import { LINK_HELP, LINK_OPTIONS, type LinkOptions, readLinks } from './link-input.ts'
import { parseWords } from './options.ts'

const OPTIONS = {
  ...CLIENT_OPTIONS,
  ...LINK_OPTIONS,
  keep: { type: 'boolean', default: false },
  watch: { type: 'boolean', default: false },
} as const

export const command: Command = {
  asCaller: true,
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

  async run({ config, args, speech, print, complain, startProgress, isRead }) {
    const { values, positionals } = parseWords(args, OPTIONS, 2)
    const output = readChoice('output', values.output, PUSH_OUTPUTS)
    const parallel = readParallel(values.parallel)
    const links = readLinks(values.links, { speech, complain })
    const folder = await readFolder(positionals[0])
    const target = readTarget(positionals[1], 'push')
    const { 'dry-run': dryRun, 'clean-names': clean, 'skip-invalid': skip } = values
    const token = await readToken(values.token, config.environment)
    let done = 0
    let total = 0
    const progress = startProgress('Hochladen', 'Upload')
    const { service, deliver } = await connect(target, {
      token,
      environment: config.environment,
      overwrite: !values.keep,
      dryRun,
      onBytes(count) {
        done += count
        progress.at(done, total)
      },
    })
    const taken = new Map<string, string>()
    const plan = (files: readonly FolderFile[]) => planPaths(files, { prefix: target.prefix, clean, taken })

    await inSentences(async () => {
      if (values.watch)
        return follow({ folder, links, plan, deliver, parallel, speech, print, complain, isRead, dryRun })
      const found = await filesIn(folder, links)
      links.tell(found.links, { skipInvalid: skip })
      const made = plan(found.files)
      reportUnfit(made, { skip, clean, speech, complain })
      const { planned } = made
      if (planned[0]) await checkAccess(service, planned[0].path)
      total = planned.reduce((sum, { item }) => sum + item.size, 0)
      const { outcomes: files, ended } = await send(planned, { deliver, parallel, speech }).finally(
        progress.end,
      )
      print(pushReport(files, output, { prefix: target.prefix, dryRun, speech }))
      if (ended) {
        reportUnprocessed(
          planned
            .filter(each => !files.some(({ name }) => name === each.item.name))
            .map(each => each.item.name),
          { speech, complain },
        )
        throw ended
      }
      const failed = files.filter(({ status }) => status === 'failed').length
      if (failed > 0)
        throw new CommandFailure(
          `${failed === 1 ? 'Eine Datei ist' : `${failed} Dateien sind`} nicht angekommen; oben steht, warum.`,
          `${failed === 1 ? 'One file has' : `${failed} files have`} not arrived; it says why above.`,
        )
    })
  },
}

async function readFolder(typed: string | undefined): Promise<string> {
  if (typed === undefined)
    throw new UsageError(
      'Es fehlt der Ordner; mehr sagt „fundus help push“.',
      'The folder is missing; “fundus help push” says more.',
    )
  const folder = resolve(typed)
  const facts = await stat(folder).catch(() => null)
  if (!facts?.isDirectory())
    throw new UsageError(`Den Ordner „${typed}“ gibt es nicht.`, `There is no folder “${typed}”.`)
  return folder
}

interface SendParts {
  deliver: Deliver
  parallel: number
  speech: Speech
  onFile?(file: PushedFile): void
}

const send = (
  planned: readonly PathPlan<FolderFile>[],
  { deliver, parallel, speech, onFile = () => {} }: SendParts,
) =>
  workThrough<PathPlan<FolderFile>, PushedFile>(planned, {
    parallel,
    work: async ({ item, path }) => ({ name: item.name, ...(await deliver({ path, file: item.file })) }),
    failed: ({ item: { name, size }, path }, { sentence, english }) => ({
      name,
      path,
      status: 'failed',
      size,
      why: speech.say(sentence, english),
    }),
    onOutcome: onFile,
  })

interface FollowParts extends Omit<SendParts, 'onFile'> {
  folder: string
  links: LinkOptions
  plan(files: readonly FolderFile[]): ReturnType<typeof planPaths<FolderFile>>
  print(text: string): void
  complain(text: string): void
  isRead(): boolean
  dryRun: boolean
}

/**
 * Watches the folder and uploads changed files; retries while the service is down. Ends when the service
 * refuses everything, or nobody reads the output.
 */
async function follow({
  folder,
  links,
  plan,
  print,
  complain,
  isRead,
  dryRun,
  ...sending
}: FollowParts): Promise<void> {
  const { speech } = sending
  const { say } = speech
  const named = new Set<string>()
  const look = async () => {
    const found = await filesIn(folder, links)
    const unnamed = found.links.filter(({ name }) => !named.has(name))
    for (const { name } of unnamed) named.add(name)
    links.tell(unnamed, { skipInvalid: true })
    return found.files
  }
  const watch = createWatch({ look, now: Date.now, sleep: Bun.sleep })
  print(say(`Folgt ${folder}, bis Strg+C …`, `Follows ${folder} until Ctrl+C …`))
  for await (const batch of watch.batches()) {
    const { planned, unfit } = plan(batch)
    for (const { source, why } of unfit) print(`${say('ausgelassen', 'left out')} ${source}: ${say(...why)}`)
    const onFile = (file: PushedFile) => {
      if (file.status !== 'present') print(fileLine(file, speech, dryRun))
    }
    const { outcomes: files, ended } = await send(planned, { ...sending, onFile })
    if (!isRead()) return
    if (!ended) continue
    if (!ended.passes) throw ended
    complain(`${say(ended.sentence, ended.english)}\n`)
    const there = new Set(files.map(({ name }) => name))
    watch.again(batch.filter(({ name }) => !there.has(name)))
  }
}
