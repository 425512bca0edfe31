/**
 * `npm run bench -- pictures`: preview and WebP variant of a 12-megapixel JPEG by the service's decoder,
 * beside sharp alone making the same two files in one process, in turns. Both start, make their pictures and
 * end. Exits with 1 when the service takes more than 1.15 times as long, in processor time or by the clock.
 * `--rounds <n>`: how many rounds (5). `--effort`: instead prints size, error and processor time of the WebP
 * variant at each effort of the encoder.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { DECODER_NICENESS } from '../src/images/decoder/priority.ts'
import { createImages } from '../src/images/images.ts'
import { DERIVATIONS, DERIVED_PARTS } from '../src/storage/derived-parts.ts'
import { commit, describeMachine } from './machine.ts'
import { percentile } from './percentile.ts'
import { drawing, landscape } from './scenes.ts'

const BAR = 1.15
/** So many that the start of the processes counts little, as in a service that runs for long. */
const PICTURES = 12
const { edge, quality } = DERIVATIONS.preview.scaling!
/** As `src/images/decoder` chooses it for such a picture; a run compares the sizes of what both have made. */
const VARIANT = { quality: 82, effort: 2 }

type Sizes = { preview: number; variant: number }
const makers: Record<string, (source: string, folder: string) => Promise<Sizes>> = { service, sharp: alone }

async function service(source: string, scratch: string): Promise<Sizes> {
  const images = createImages()
  let sizes: Sizes = { preview: 0, variant: 0 }
  for (let at = 0; at < PICTURES; at++) {
    const { preview, variant } = await images.derive({
      source,
      mime: 'image/jpeg',
      scratch,
      parts: DERIVED_PARTS,
      requester: { client: 'bench', isAwaited: true },
    })
    sizes = { preview: preview?.size ?? 0, variant: variant?.size ?? 0 }
  }
  await images.close()
  return sizes
}

/** sharp alone, with its default threads and cache; makes both files at the same time. */
async function alone(source: string, folder: string): Promise<Sizes> {
  let sizes: Sizes = { preview: 0, variant: 0 }
  for (let at = 0; at < PICTURES; at++) {
    const [preview, variant] = await Promise.all([
      sharp(source)
        .resize({ width: edge, height: edge, fit: 'inside' })
        .webp({ quality })
        .toFile(join(folder, `${at}.preview.webp`)),
      sharp(source)
        .webp(VARIANT)
        .toFile(join(folder, `${at}.variant.webp`)),
    ])
    sizes = { preview: preview.size, variant: variant.size }
  }
  return sizes
}

interface Run {
  processor: number
  clock: number
  sizes: string
}

async function run(maker: string, source: string, folder: string): Promise<Run> {
  const into = await mkdtemp(join(folder, `${maker}-`))
  const start = performance.now()
  // All get the niceness of the service's decoders, so that a busy machine delays both alike.
  const command = [
    'nice',
    '-n',
    String(DECODER_NICENESS),
    process.execPath,
    import.meta.path,
    maker,
    source,
    into,
  ]
  const child = Bun.spawn(command, { stderr: 'inherit' })
  const sizes = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error(`${maker} ended with ${child.exitCode}`)
  const clock = (performance.now() - start) / 1000
  // Of the process and of those that it has waited for: the decoder is among them.
  const processor = Number(child.resourceUsage()!.cpuTime.total) / 1e6
  return { processor, clock, sizes }
}

async function compare(folder: string, rounds: number): Promise<void> {
  const source = join(folder, 'landscape.jpg')
  await sharp(await landscape(4000, 3000))
    .jpeg({ quality: 90 })
    .toFile(source)
  const ratios: { processor: number; clock: number }[] = []
  for (let round = 1; round <= rounds; round++) {
    const ours = await run('service', source, folder)
    const theirs = await run('sharp', source, folder)
    if (ours.sizes !== theirs.sizes)
      throw new Error(`not the same files: ${ours.sizes}, sharp ${theirs.sizes}`)
    ratios.push({ processor: ours.processor / theirs.processor, clock: ours.clock / theirs.clock })
    const seconds = ({ processor, clock }: Run) =>
      `${(processor / PICTURES).toFixed(2)} processor s, ${(clock / PICTURES).toFixed(2)} s`
    console.log(`round ${round}: a picture by the service ${seconds(ours)}; by sharp ${seconds(theirs)}`)
  }
  for (const of of ['processor', 'clock'] as const) {
    const ratio = percentile(
      ratios.map(each => each[of]),
      0.5,
    )
    console.log(`${of.padEnd(9)} ${ratio.toFixed(2)} × sharp, bar ≤ ${BAR}${ratio > BAR ? '  MISSED' : ''}`)
    if (ratio > BAR) process.exitCode = 1
  }
}

/** The mean difference of a byte of a pixel. */
const difference = (one: Uint8Array, other: Uint8Array) =>
  one.reduce((sum, byte, at) => sum + Math.abs(byte - other[at]!), 0) / one.length

async function printEfforts(): Promise<void> {
  sharp.cache(false)
  sharp.concurrency(1)
  const scenes = {
    landscape: await landscape(2000, 1500),
    'with grain': await landscape(2000, 1500, 24),
    drawing: drawing(2000, 1500),
  }
  console.log('| Picture, 3 megapixels | Effort | Size | Error | Processor time |\n|---|---|---|---|---|')
  for (const [name, scene] of Object.entries(scenes)) {
    const jpeg = await sharp(scene).jpeg({ quality: 90 }).toBuffer()
    const pixels = await sharp(jpeg).raw().toBuffer()
    for (const effort of [0, 1, 2, 3, 4, 5, 6]) {
      const before = process.cpuUsage()
      const webp = await sharp(jpeg)
        .webp({ ...VARIANT, effort })
        .toBuffer()
      const { user, system } = process.cpuUsage(before)
      const error = difference(pixels, await sharp(webp).raw().toBuffer())
      console.log(
        `| ${name} | ${effort} | ${(webp.length / 1000).toFixed(0)} kB | ${error.toFixed(2)} | ${((user + system) / 1e6).toFixed(2)} s |`,
      )
    }
  }
}

const [maker, source, into] = process.argv.slice(2)
if (maker && source && into && makers[maker]) {
  console.log(JSON.stringify(await makers[maker](source, into)))
} else {
  const { values } = parseArgs({ options: { effort: { type: 'boolean' }, rounds: { type: 'string' } } })
  console.log(`${describeMachine()}, load ${loadavg()[0]!.toFixed(1)}\ncommit ${commit()}`)
  const folder = await mkdtemp(join(tmpdir(), 'fundus-bench-pictures-'))
  try {
    await (values.effort ? printEfforts() : compare(folder, Number(values.rounds ?? 5)))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
