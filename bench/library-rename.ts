/**
 * A folder of 10 000 files changes while `/f/` is read and files are uploaded: who has to wait, and how long.
 */
import { store } from '../test/support/api.ts'
import { dash } from '../test/support/dashboard.ts'
import type { Service } from '../test/support/service.ts'
import { percentile } from './percentile.ts'
import { SERVED } from './seed.ts'

const READERS = 8
const CALM_MS = 4000

interface Load {
  /** Ends it; answers the latencies of every `/f/` request and every upload since it began. */
  stop(): Promise<{ reads: number[]; uploads: number[] }>
}

function startLoad(service: Service, token: string, readers: number): Load {
  const reads: number[] = []
  const uploads: number[] = []
  let going = true
  const timed = async (into: number[], act: () => Promise<unknown>) => {
    const started = performance.now()
    await act()
    into.push(performance.now() - started)
  }
  const reader = async (offset: number) => {
    for (let round = 0; going; round++) {
      const address = `${service.url}/f/served/${(offset + round) % SERVED}.txt`
      await timed(reads, async () => {
        const response = await fetch(address)
        await response.arrayBuffer()
        if (response.status !== 200) throw new Error(`${address}: ${response.status}`)
      })
    }
  }
  const uploader = async () => {
    for (let round = 0; going; round++) {
      await timed(uploads, () => store(service, token, `uploaded/${round % 50}.txt`, `content ${round}`))
      await Bun.sleep(20)
    }
  }
  const all = Promise.all([...Array.from({ length: readers }, (_, at) => reader(at * 7)), uploader()])
  return {
    async stop() {
      going = false
      await all
      return { reads, uploads }
    },
  }
}

function report(when: string, { reads, uploads }: Awaited<ReturnType<Load['stop']>>): void {
  const figures = [0.5, 0.99, 1].map(share => percentile(reads, share).toFixed(2)).join(' / ')
  console.log(`  ${when.padEnd(28)} /f/ p50 / p99 / max: ${figures} ms, ${reads.length} requests`)
  const longest = percentile(uploads, 1).toFixed(0)
  console.log(`  ${''.padEnd(28)} uploads p50 / max: ${percentile(uploads, 0.5).toFixed(1)} / ${longest} ms`)
}

type Change = { route: 'umbenennen'; ordner: string; name: string } | { route: 'loeschen'; ordner: string }

/** Answers the milliseconds it took. */
async function change(service: Service, session: string, { route, ...json }: Change): Promise<number> {
  const started = performance.now()
  const response = await dash(service, `folders/${route}`, { session, json })
  const answer = await response.text()
  if (response.status !== 200) throw new Error(`${route}: ${response.status} ${answer.slice(0, 500)}`)
  return performance.now() - started
}

const RENAME = { route: 'umbenennen', ordner: 'rename-me', name: 'renamed' } as const

/**
 * Renames the folder, then moves it into the trash, each while files are uploaded: how long each took, and
 * waited.
 */
export async function measureChanges(service: Service, session: string) {
  const token = await service.createToken('--name', 'changes')
  const figures: { what: string; took: number; longestUpload: number }[] = []
  for (const [what, order] of [
    ['renamed', RENAME],
    ['deleted', { route: 'loeschen', ordner: 'renamed' }],
  ] as const) {
    const load = startLoad(service, token, 0)
    const took = await change(service, session, order)
    const { uploads } = await load.stop()
    figures.push({ what, took, longestUpload: percentile(uploads, 1) })
  }
  return figures
}

export async function measureRename(service: Service, session: string): Promise<void> {
  const token = await service.createToken('--name', 'bench')
  const during = async (act: () => Promise<unknown>) => {
    const load = startLoad(service, token, READERS)
    await act()
    return load.stop()
  }
  await during(() => Bun.sleep(1000)) // warm
  report('before', await during(() => Bun.sleep(CALM_MS)))
  let took = 0
  const busy = await during(async () => {
    took = await change(service, session, RENAME)
  })
  console.log(`rename of a folder of 10 000 files, one transaction: ${took.toFixed(0)} ms`)
  report('during the rename', busy)
  report('while the objects follow', await during(() => Bun.sleep(CALM_MS)))
  await change(service, session, { route: 'umbenennen', ordner: 'renamed', name: 'rename-me' })
}
