/**
 * The journal of short files is damaged while the service is down. The files themselves are as a power cut leaves them: of the
 * right length and without their bytes, so the journal is all there is. Each file is right again, or it is named.
 */
import { expect, setDefaultTimeout } from 'bun:test'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { read, store } from '../support/api.ts'
import { randomBytes, sha256 } from '../support/bytes.ts'
import { objectFiles } from '../support/data-folder.ts'
import { isOrdinaryRun, leftToLong } from '../support/left-out.ts'
import { embeddedOnly } from '../support/modes.ts'
import { descendants } from '../support/processes.ts'
import { type Service, startService } from '../support/service.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(180_000)

const BLOCK = 4096
/** Two blocks of a journal each, and enough of them that a random look seldom meets a lost one. */
const FILES = 24
const SIZE = 6_000

interface KeptRecord {
  journal: string
  at: number
  path: string
}

/** The records of the present turn in all journals, in their order. A turn has the mark of its first block. */
async function keptRecords(dataDir: string): Promise<KeptRecord[]> {
  const staging = join(dataDir, 'staging')
  const names = await readdir(staging, { recursive: true })
  const found: KeptRecord[] = []
  for (const journal of names.filter(name => name.endsWith('.journal')).map(name => join(staging, name))) {
    const bytes = await readFile(journal)
    const headAt = (at: number) => {
      const line = bytes.subarray(at, bytes.indexOf(10, at)).toString()
      return /^\[\d+,"(?<mark>\w+)",\d+,"(?:files\/(?<path>.+)~\w+\.bin)?",\d+\]$/.exec(line)?.groups
    }
    const turn = headAt(0)?.mark
    for (let at = 0; at < bytes.length; at += BLOCK) {
      const head = headAt(at)
      if (head?.path && head.mark === turn) found.push({ journal, at, path: `${head.path}.bin` })
    }
  }
  return found
}

/** Stores files until one turn of the journals has all of them, and kills every process of the service. */
async function storedAndKilled(service: Service, token: string) {
  for (let round = 1; ; round++) {
    const bodies = new Map(
      Array.from({ length: FILES }, (_, at) => [`r${round}/${at}.bin`, randomBytes(round * 100 + at, SIZE)]),
    )
    await Promise.all([...bodies].map(([path, body]) => store(service, token, path, body)))
    for (const pid of descendants(service.pid)) process.kill(pid, 'SIGKILL')
    await service.kill9()
    const records = (await keptRecords(service.dataDir)).filter(({ path }) => bodies.has(path))
    if (records.length === FILES) return { bodies, records }
    if (round === 10) throw new Error('the journals never had all files')
    await service.restart()
  }
}

const overwrite = async (file: string, at: number, bytes: Uint8Array) => {
  const whole = await readFile(file)
  whole.set(bytes, at)
  await writeFile(file, whole)
}

async function serving(service: Service) {
  const { pruefungen } = (await (await fetch(`${service.url}/status`)).json()) as {
    pruefungen: { was: string; ok: boolean; code?: string }[]
  }
  return pruefungen.find(({ was }) => was === 'ausliefern')
}

/** What is damaged, and how many of the files are lost by it. */
const DAMAGES: Record<string, [lost: number, damage: (records: KeptRecord[]) => Promise<void>]> = {
  'the bytes of a record': [1, ([, one]) => overwrite(one!.journal, one!.at + 1_000, Buffer.from('damaged'))],
  'the head of a record': [1, ([, one]) => overwrite(one!.journal, one!.at, new Uint8Array(BLOCK))],
  'the head of the last record': [
    1,
    records => overwrite(records.at(-1)!.journal, records.at(-1)!.at, randomBytes(7, BLOCK)),
  ],
  'the beginning': [0, ([one]) => overwrite(one!.journal, 0, new Uint8Array(BLOCK))],
  everything: [
    FILES,
    async records => {
      for (const { journal } of records)
        await writeFile(journal, new Uint8Array((await readFile(journal)).length))
    },
  ],
}

const ON_TWO_WORKERS = ['the head of a record', 'everything']
/** In `npm test`; the tests of src/storage/disk damage journals in the other ways. */
const ALWAYS = ['the head of a record, 2', 'the head of the last record, 1', 'everything, 1']

for (const [what, [expected, damage]] of Object.entries(DAMAGES))
  for (const workers of ON_TWO_WORKERS.includes(what) ? ['1', '2'] : ['1']) {
    const isLeft = isOrdinaryRun && !ALWAYS.includes(`${what}, ${workers}`)
    const run = isLeft ? leftToLong : embeddedOnly.folder
    run(
      `${what} of a damaged journal, ${workers} workers: each file is right, or named and not served`,
      async () => {
        await using service = await startService({ ownProcess: true, env: { WORKERS: workers } })
        const token = await service.createToken()
        const { bodies, records } = await storedAndKilled(service, token)
        for (const path of bodies.keys()) {
          const [object] = await objectFiles(service.dataDir, path)
          await writeFile(join(service.dataDir, object!), new Uint8Array(SIZE))
        }
        await damage(records)
        await service.restart()

        const lost: string[] = []
        for (const [path, body] of bodies) {
          const answer = await read(service, path)
          if (answer.status !== 200) lost.push(path)
          else expect([path, sha256(await answer.bytes())]).toEqual([path, sha256(body)])
        }
        expect(lost).toHaveLength(expected)
        const failing = { was: 'ausliefern', ok: false, code: 'check-file-missing' }
        expect(await serving(service)).toMatchObject(expected > 0 ? failing : { ok: true })
        const check = JSON.parse((await service.command('check', '--json')).stdout)
        expect(check.withoutObject.names.toSorted()).toEqual(lost.toSorted())
        const kept = (await readdir(service.dataDir)).filter(name => /^journal-.+\.journal$/.test(name))
        expect(kept.length).toBeGreaterThan(0)
        const told = await eventually('the log tells of it', () =>
          service.logs().find(line => JSON.stringify(line).includes('was damaged and is kept aside')),
        )
        expect((told.lost as string[]).length).toBe(expected)

        // Another upload to the path replaces what is lost.
        for (const path of lost) await store(service, token, path, bodies.get(path)!)
        await service.restart()
        expect(await serving(service)).toMatchObject({ ok: true })
      },
    )
  }

embeddedOnly.folder('a journal that is whole raises nothing', async () => {
  await using service = await startService({ ownProcess: true })
  const token = await service.createToken()
  const { bodies } = await storedAndKilled(service, token)
  await service.restart()
  for (const [path, body] of bodies)
    expect(sha256(await (await read(service, path)).bytes())).toBe(sha256(body))
  expect(await serving(service)).toMatchObject({ ok: true })
  expect((await readdir(service.dataDir)).filter(name => name.startsWith('journal-'))).toEqual([])
})
