/** `fundus push`: uploads a folder to a running service, from any machine. */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { checkAccess, type Deliver } from '../client/deliver.ts'
import { type FolderFile, filesIn } from '../client/folder.ts'
import { type Planned, planPaths } from '../client/plan.ts'
import { fileLine, PUSH_OUTPUTS, type PushedFile, pushReport } from '../client/push-report.ts'
import { createWatch } from '../client/watch.ts'
import { workThrough } from '../client/work-through.ts'
import {
  CLIENT_HELP,
  CLIENT_OPTIONS,
  connect,
  inSentences,
  readChoice,
  readParallel,
  readTarget,
  readToken,
  tellUnfit,
} from './client-input.ts'
import { type Command, CommandFailure, UsageError } from './command.ts'
import { parseWords } from './options.ts'
import { createProgress } from './progress.ts'

const OPTIONS = {
  ...CLIENT_OPTIONS,
  keep: { type: 'boolean', default: false },
  watch: { type: 'boolean', default: false },
} as const

export const command: Command = {
  help: `fundus push <Ordner> <Ziel> [Optionen]

  Braucht nur eine Adresse und ein Token, keinen eigenen Dienst. Das Ziel ist eine Adresse mit Ordner, zum Beispiel
  https://media.example.org/bilder. Namen werden klein geschrieben. Was dort schon mit gleichem Inhalt liegt, wird nicht
  gesendet: ein abgebrochener Lauf wird fortgesetzt, indem man ihn noch einmal startet. Gelöscht wird dort nie etwas.

${CLIENT_HELP}
  --keep              liegt unter dem Pfad schon etwas anderes, bleibt es; sonst wird es ersetzt
  --watch             danach dem Ordner folgen, bis Strg+C: Neues und Geändertes senden, sobald es fertig geschrieben ist
  --output <Form>     ${PUSH_OUTPUTS.join(', ')}: die Zusammenfassung mit allen Adressen (text)

  Rückgabewert: 0 alles ist dort, 1 etwas misslang, 2 so nicht ausführbar; dann wurde nichts gesendet.`,

  async run({ config, args, print, complain }) {
    const { values, positionals } = parseWords(args, OPTIONS, 2)
    const output = readChoice('output', values.output, PUSH_OUTPUTS)
    const parallel = readParallel(values.parallel)
    const folder = await readFolder(positionals[0])
    const target = readTarget(positionals[1], 'push')
    const { 'dry-run': dryRun, 'clean-names': clean, 'skip-invalid': skip } = values
    const token = await readToken(values.token, config.environment)
    let done = 0
    let total = 0
    const progress = createProgress({ label: 'Hochladen', unit: 'bytes', write: complain })
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
      if (values.watch) return follow({ folder, plan, deliver, parallel, print, complain, dryRun })
      const made = plan(await filesIn(folder))
      tellUnfit(made, { skip, clean, complain })
      const { planned } = made
      if (planned[0]) await checkAccess(service, planned[0].path)
      total = planned.reduce((sum, { item }) => sum + item.size, 0)
      const { outcomes: files, ended } = await send(planned, { deliver, parallel }).finally(progress.end)
      print(pushReport(files, output, { prefix: target.prefix, dryRun }))
      if (ended) throw ended
      const failed = files.filter(({ status }) => status === 'failed').length
      if (failed > 0)
        throw new CommandFailure(
          `${failed === 1 ? 'Eine Datei ist' : `${failed} Dateien sind`} nicht angekommen; oben steht, warum.`,
        )
    })
  },
}

async function readFolder(typed: string | undefined): Promise<string> {
  if (typed === undefined) throw new UsageError('Es fehlt der Ordner; mehr sagt „fundus help push“.')
  const folder = resolve(typed)
  const facts = await stat(folder).catch(() => null)
  if (!facts?.isDirectory()) throw new UsageError(`Den Ordner „${typed}“ gibt es nicht.`)
  return folder
}

interface SendParts {
  deliver: Deliver
  parallel: number
  onFile?(file: PushedFile): void
}

const send = (planned: readonly Planned<FolderFile>[], { deliver, parallel, onFile = () => {} }: SendParts) =>
  workThrough<Planned<FolderFile>, PushedFile>(planned, {
    parallel,
    work: async ({ item, path }) => ({ name: item.name, ...(await deliver({ path, file: item.file })) }),
    failed: ({ item: { name, size }, path }, { sentence }) => ({
      name,
      path,
      status: 'failed',
      size,
      why: sentence,
    }),
    onOutcome: onFile,
  })

interface FollowParts extends Omit<SendParts, 'onFile'> {
  folder: string
  plan(files: readonly FolderFile[]): ReturnType<typeof planPaths<FolderFile>>
  print(text: string): void
  complain(text: string): void
  dryRun: boolean
}

/** Never ends by itself, unless the service refuses everything; a service that is away is tried again. */
async function follow({ folder, plan, print, complain, dryRun, ...sending }: FollowParts): Promise<void> {
  const watch = createWatch({ look: () => filesIn(folder), now: Date.now, sleep: Bun.sleep })
  print(`Folgt ${folder}, bis Strg+C …`)
  for await (const batch of watch.batches()) {
    const { planned, unfit } = plan(batch)
    for (const { source, why } of unfit) print(`ausgelassen ${source}: ${why}`)
    const onFile = (file: PushedFile) => {
      if (file.status !== 'present') print(fileLine(file, dryRun))
    }
    const { outcomes: files, ended } = await send(planned, { ...sending, onFile })
    if (!ended) continue
    if (!ended.passes) throw ended
    complain(`${ended.sentence}\n`)
    const there = new Set(files.map(({ name }) => name))
    watch.again(batch.filter(({ name }) => !there.has(name)))
  }
}
