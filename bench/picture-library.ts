/**
 * 3 000 picture files of mixed shapes for the benches of the gallery, and the previews that a browser is
 * given of them.
 */
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { onDatabase } from '../test/support/data-folder.ts'

export const PICTURE_FOLDER = 'fotos'
const COUNT = 3000
/** Longest edge of a preview, as the service makes it. */
const PREVIEW_EDGE = 480
const HUES = 12

/** Width and height, in the mixture in which cameras, telephones and screens produce them. */
const SHAPES = [
  ...['4000x3000', '6000x4000', '3000x4000', '1920x1080', '4000x3000', '1080x1920', '6000x4000', '2000x2000'],
  ...['4000x6000', '2560x1440', '3440x1440', '4000x3000', '1080x2340', '1000x1500', '9000x3000', '1280x1024'],
]
/** Other folders, so that the tree looks like one. */
const OTHERS = 'archiv banner clips icons items karten logos skins sounds texte wappen'.split(' ')

const quoted = (text: string) => `'${text}'`

/** Rows without objects, written beside the running service: no picture is ever opened. */
export async function seedPictures(dataDir: string): Promise<void> {
  const now = Date.now()
  const inFolder = Array.from({ length: COUNT }, (_, at) => {
    const shape = SHAPES[(at * 7 + Math.floor(at / 5)) % SHAPES.length]!
    return `${PICTURE_FOLDER}/aufnahme-${String(at + 1).padStart(4, '0')}-${shape}.jpg`
  })
  const elsewhere = OTHERS.flatMap(folder =>
    Array.from({ length: 40 }, (_, at) => `${folder}/datei-${at + 1}-${SHAPES[at % SHAPES.length]}.jpg`),
  )
  const rows = [...inFolder, ...elsewhere].map((path, at) => {
    const [width, height] = shapeOf(path)
    const id = `picture${String(at).padStart(9, '0')}`
    const time = now - at * 5_400_000
    const sum = id.padStart(64, '0')
    const texts = [id, path, `files/${path}`, sum, 'image/jpeg', 'bilder', 'done'].map(quoted)
    return `(${[...texts, 200_000 + at * 997, time, time, width, height, 9000].join(', ')})`
  })
  await onDatabase(
    dataDir,
    `insert into media (id, path, object, sha256, mime, kind, derived, size, created_at, updated_at, width, height, preview_size)
     values ${rows.join(', ')}`,
  )
}

function shapeOf(path: string): [width: number, height: number] {
  const [, width, height] = /-(\d+)x(\d+)\.jpg/.exec(path) ?? []
  return [Number(width), Number(height)]
}

/** What the browser is given for each preview: a landscape, or one colour whose pixels can be counted. */
export type Drawing = 'landscape' | 'marker'

/** A colour that no page has. */
export const MARKER = { r: 255, g: 0, b: 255 }

export async function servePictures(page: Page, drawing: Drawing): Promise<void> {
  const drawn = new Map<string, Promise<Buffer>>()
  await page.route(/\/(api\/dash\/vorschau|t|b\/\w+)\//, async route => {
    const path = decodeURIComponent(new URL(route.request().url()).pathname)
    const [width, height] = shapeOf(path)
    const hue = drawing === 'marker' ? 0 : Number(/-(\d+)-\d+x/.exec(path)?.[1]) % HUES
    const key = `${width}x${height} ${hue}`
    const picture = drawn.get(key) ?? draw(drawing, width, height, hue)
    drawn.set(key, picture)
    await route.fulfill({ contentType: 'image/png', body: await picture })
  })
}

function draw(drawing: Drawing, fullWidth: number, fullHeight: number, hue: number): Promise<Buffer> {
  const scale = PREVIEW_EDGE / Math.max(fullWidth, fullHeight)
  const [width, height] = [Math.round(fullWidth * scale), Math.round(fullHeight * scale)]
  if (drawing === 'marker')
    return sharp({ create: { width, height, channels: 3, background: MARKER } })
      .png()
      .toBuffer()
  const degrees = (hue * 360) / HUES
  const hills = [0, 1, 2].map(layer => {
    const base = height * (0.5 + layer * 0.16)
    const points = [0, 1, 2, 3, 4, 5].map(
      x => `${(x * width) / 5},${base + height * 0.08 * Math.sin(x * 1.9 + layer * 2 + hue)}`,
    )
    return `<path d="M0 ${height}L${points.join(' L')} L${width} ${height}z" fill="hsl(${degrees + layer * 14} 38% ${48 - layer * 12}%)"/>`
  })
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="hsl(${degrees + 190} 60% 72%)"/><circle cx="${width * 0.7}" cy="${height * 0.25}" r="${Math.min(width, height) * 0.1}" fill="hsl(48 100% 88%)"/>${hills.join('')}</svg>`,
    ),
  )
    .png()
    .toBuffer()
}
