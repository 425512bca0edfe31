/** For tests of decoding: an `Images` with temporary folders, and counts of its decoder processes. */
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import type { SizeGeometry } from '../../contract/files/picture-geometry.ts'
import { DERIVED_PARTS } from '../../storage/derived-parts.ts'
import { startNormalPriorityDecoder } from '../../testing/normal-priority-decoder.ts'
import { createImages, type DeriveJob, type ImagesOptions, type Requester } from '../images.ts'
import type { SizeFormat } from '../protocol.ts'

// The cache of sharp would keep files of a test open.
sharp.cache(false)

export type Bench = Awaited<ReturnType<typeof createBench>>

const pathBesideThis = (name: string) => fileURLToPath(new URL(name, import.meta.url))
export const ROGUE_DECODER_FILE = pathBesideThis('./rogue.ts')
export const fixturePath = (name: string) => pathBesideThis(`./${name}`)

const awaitedRequester = (): Requester => ({ client: 'somebody', isAwaited: true })

export async function createBench(options: ImagesOptions = {}, startDecoder = startNormalPriorityDecoder) {
  const folder = await mkdtemp(join(tmpdir(), 'fundus-images-'))
  const scratch = join(folder, 'scratch')
  await mkdir(scratch)
  /** Process ids of all decoders so far. */
  const startedPids: number[] = []
  let aliveCount = 0
  let maxAlive = 0
  const onChild = (event: 'started' | 'ended', pid: number) => {
    aliveCount += event === 'started' ? 1 : -1
    maxAlive = Math.max(maxAlive, aliveCount)
    if (event === 'started') startedPids.push(pid)
  }
  const images = createImages({ onChildEvent: onChild, ...options }, startDecoder)
  return {
    images,
    folder,
    scratch,
    startedPids,
    /** The highest number of decoders that were alive at the same time. */
    maxAlive: () => maxAlive,
    async writeSource(name: string, bytes: Uint8Array | string) {
      await Bun.write(join(folder, name), bytes)
      return join(folder, name)
    },
    /** Makes all derived files of `source` (`DERIVED_PARTS`). Fields of `job` replace the defaults. */
    derive: (source: string, job?: Partial<DeriveJob>) =>
      images.derive({
        source,
        mime: Bun.file(source).type,
        scratch,
        parts: DERIVED_PARTS,
        requester: awaitedRequester(),
        ...job,
      }),
    downscale: (source: string, maxEdge: number, mime: string = Bun.file(source).type) =>
      images.downscale({ source, mime, scratch, maxEdge, requester: awaitedRequester() }),
    size: (source: string, size: SizeGeometry, format: SizeFormat, mime: string = Bun.file(source).type) =>
      images.size({ source, mime, scratch, size, format, requester: awaitedRequester() }),
    leftovers: () => readdir(scratch),
    async close() {
      await images.close()
      await rm(folder, { recursive: true })
    },
  }
}
