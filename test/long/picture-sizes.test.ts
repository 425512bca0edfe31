/**
 * 200 pictures in every size and format, read back by other programs than the one that made them: dimensions,
 * orientation, colours and profile are right, and none is enlarged.
 */
import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { bytesOf, store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { useFolder } from '../support/folder.ts'
import { sharedLibrary } from '../support/library.ts'
import { needsTool } from '../support/tools.ts'

setDefaultTimeout(1_800_000)
needsTool('libavif-bin', () => Bun.which('avifdec'))
needsTool('imagemagick', () => Bun.which('identify'))
needsTool('webp', () => Bun.which('webpinfo') && Bun.which('dwebp'))

const PICTURES = Number(process.env.SIZE_PICTURES ?? 200)
const on = sharedLibrary()
const folder = await useFolder()

const FORMATS = ['avif', 'webp', 'jpeg'] as const
type Format = (typeof FORMATS)[number]
const FITS = [
  { name: 'ganz', breite: 240, hoehe: 240, art: 'einpassen' },
  { name: 'breit', breite: 150, hoehe: null, art: 'einpassen' },
  { name: 'gefuellt', breite: 120, hoehe: 90, art: 'fuellen' },
] as const
const SIZES = FITS.flatMap(fit => FORMATS.map(format => ({ ...fit, name: `${fit.name}-${format}`, format })))

interface Sample {
  path: string
  /** As a viewer sees it. */
  width: number
  height: number
  profile: 'srgb' | 'p3'
}
const samples: Sample[] = []

/** How a picture that stands upright is stored, so that this orientation turns it back. */
const LAID: Readonly<Record<number, (from: Sharp) => Sharp>> = {
  1: from => from,
  2: from => from.flop(),
  3: from => from.rotate(180),
  4: from => from.flip(),
  6: from => from.rotate(270),
  8: from => from.rotate(90),
}

/** Red at the top left, green at the top right, blue at the bottom left, white at the bottom right. */
function quarters(width: number, height: number): Promise<Buffer> {
  const [w, h] = [Math.ceil(width / 2), Math.ceil(height / 2)]
  const part = (x: number, y: number, fill: string) =>
    `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${fill}"/>`
  const parts = [part(0, 0, '#f00'), part(w, 0, '#0f0'), part(0, h, '#00f'), part(w, h, '#fff')]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${parts.join('')}</svg>`
  return sharp(Buffer.from(svg)).removeAlpha().png().toBuffer()
}

async function sample(nr: number): Promise<Sample> {
  // From a few pixels up to a thousand, lying and standing, by numbers that share no factor.
  const [width, height] = [16 + ((nr * 37) % 985), 16 + ((nr * 53) % 787)]
  const orientation = [1, 2, 3, 4, 6, 8][nr % 6]!
  const profile = nr % 4 === 0 ? 'p3' : 'srgb'
  const laid = LAID[orientation]!(sharp(await quarters(width, height)))
  // Without another profile this adds that of sRGB.
  const stored = sharp(await laid.png().toBuffer()).withMetadata({ orientation })
  if (profile === 'p3') stored.withIccProfile('p3')
  const type = orientation === 1 && nr % 2 === 0 ? 'png' : 'jpg'
  const bytes = type === 'png' ? stored.png() : stored.jpeg({ quality: 92, chromaSubsampling: '4:4:4' })
  const path = `lang/${nr}.${type}`
  await store(on.service, on.token, path, new Uint8Array(await bytes.toBuffer()))
  return { path, width, height, profile }
}

beforeAll(async () => {
  const saved = await dash(on.service, 'einstellungen', {
    method: 'PUT',
    json: { BILDGROESSEN: SIZES },
    session: on.session,
  })
  expect(saved.status).toBe(200)
  for (let nr = 0; nr < PICTURES; nr++) samples.push(await sample(nr))
})

async function run(...command: string[]): Promise<string> {
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe' })
  const [output, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${errors}`)
  return output
}

/** The picture as PNG, decoded by a program of its format; throws unless that knows the file for its own. */
async function decoded(format: Format, file: string): Promise<string> {
  const png = `${file}.png`
  if (format === 'avif') await run('avifdec', file, png)
  else if (format === 'webp') await run('dwebp', '-quiet', file, '-o', png)
  else await run('convert', `jpeg:${file}`, png)
  return png
}

/** Whether the file itself names a profile, by a program of its format. */
async function hasProfile(format: Format, file: string): Promise<boolean> {
  if (format === 'avif') return /ICC Profile\s*: Present/.test(await run('avifdec', '--info', file))
  if (format === 'webp') return /ICCP/.test(await run('webpinfo', file))
  return (await run('identify', '-format', '%[profile:icc]', file)).trim() !== ''
}

/** Width, height and the colours of these pixels, as ImageMagick sees the decoded picture. */
async function seen(png: string, pixels: readonly (readonly [x: number, y: number])[]) {
  const colours = pixels.map(([x, y]) => `%[pixel:p{${x},${y}}]`)
  const text = await run('convert', png, '-depth', '8', '-format', ['%w %h', ...colours].join('|'), 'info:')
  const [measures = '', ...found] = text.trim().split('|')
  return { measures: measures.split(' ').map(Number), colours: found.map(channels) }
}

const NAMED = new Map([
  ['red', [255, 0, 0]],
  ['lime', [0, 255, 0]],
  ['blue', [0, 0, 255]],
  ['white', [255, 255, 255]],
])

function channels(colour: string): number[] {
  const numbers = /\(([^)]*)\)/.exec(colour)?.[1]?.split(',')
  const value = (each: string) => (each.includes('%') ? Number.parseFloat(each) * 2.55 : Number(each))
  return numbers?.map(value).slice(0, 3) ?? NAMED.get(colour) ?? []
}

/** By the rule of the contract, written down here again. */
function expected({ width, height }: Sample, fit: (typeof FITS)[number]): [number, number] {
  if (fit.art === 'fuellen') {
    const within = Math.min(1, width / fit.breite, height / fit.hoehe)
    return [Math.round(fit.breite * within), Math.round(fit.hoehe * within)]
  }
  const scale = Math.min(1, fit.breite / width, fit.hoehe === null ? 1 : fit.hoehe / height)
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))]
}

const CORNERS = [
  ['top left', 0.1, 0.1, [1, 0, 0]],
  ['top right', 0.9, 0.1, [0, 1, 0]],
  ['bottom left', 0.1, 0.9, [0, 0, 1]],
  ['bottom right', 0.9, 0.9, [1, 1, 1]],
] as const

test.each(SIZES)(
  '$name',
  async ({ name, format, ...size }) => {
    const fit = FITS.find(({ breite }) => breite === size.breite)!
    let looked = 0
    for (const each of samples) {
      const response = await fetch(`${on.service.url}/b/${name}/${each.path}`)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, `image/${format}`])
      const file = join(folder, `${name}-${each.path.replaceAll('/', '-')}.${format}`)
      await Bun.write(file, await bytesOf(response))
      const png = await decoded(format, file)
      const where = `${each.path} ${each.width}x${each.height}`
      const [width, height] = expected(each, fit)
      const at = CORNERS.map(([, x, y]) => [Math.floor(width * x), Math.floor(height * y)] as const)
      const { measures, colours } = await seen(png, at)
      expect(measures, where).toEqual([width, height])
      expect(width <= each.width && height <= each.height, where).toBe(true)
      expect(await hasProfile(format, file), where).toBe(each.profile === 'p3')
      // A quarter is a single pixel in the smallest pictures, where a colour says nothing.
      if (Math.min(width, height) < 16) continue
      looked++
      for (const [nr, [corner, , , colour]] of CORNERS.entries()) {
        const lit = colours[nr]!.map(value => (value > 128 ? 1 : 0))
        expect(lit, `${where} ${corner} ${colours[nr]}`).toEqual([...colour])
      }
    }
    expect(looked).toBeGreaterThan(PICTURES / 2)
  },
  1_800_000,
)
