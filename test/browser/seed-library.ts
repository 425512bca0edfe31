/** A realistic library: pictures, clips, sounds, folders, a trash, tokens, a share. */
import { join } from 'node:path'
import sharp from 'sharp'
import { store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { setFileDays, setRetrievalDays, setRetrievals, setUsageDays } from '../support/seed.ts'
import type { Service } from '../support/service.ts'
import { eventually } from '../support/wait.ts'

const MEDIA = join(import.meta.dir, '../support/media')

const ITEMS = [
  'apple',
  'armor',
  'bandage',
  'bread',
  'coin-gold',
  'compass',
  'crystal',
  'dagger',
  'feather',
  'flask-blue',
  'flask-red',
  'gem',
  'hammer',
  'helmet',
  'key-iron',
  'lantern',
  'map',
  'pickaxe',
  'potion',
  'ring',
  'rope',
  'scroll',
  'shield',
  'torch',
]
const PLACES = [
  'hafen-am-abend',
  'wald-im-nebel',
  'marktplatz',
  'bergpass',
  'leuchtturm',
  'alte-muehle',
  'wueste',
  'polarlicht',
]

export async function seedLibrary(service: Service, session: string): Promise<void> {
  const token = await service.createToken('--name', 'Spielserver', '--may-delete')
  const bot = await service.createToken(
    '--name',
    'Discord-Bot',
    '--prefix',
    'clips/',
    '--quota',
    '2147483648',
  )
  await service.createToken('--name', 'ShareX Nora', '--kinds', 'bilder', '--max-edge', '2560')
  for (const [at, name] of ITEMS.entries()) await store(service, token, `items/${name}.png`, await item(at))
  for (const [at, name] of PLACES.entries())
    await store(service, token, `karten/${name}.jpg`, await scene(at))
  for (const [at, name] of PLACES.slice(0, 3).entries())
    await store(service, bot, `clips/${name}.png`, await scene(at + 3))
  for (const name of ['clip.mp4', 'clip.webm', 'tone.mp3', 'tone.ogg']) {
    await store(service, bot, `clips/${name}`, await Bun.file(join(MEDIA, name)).bytes())
  }
  await store(service, token, 'texte/regeln.txt', 'Freundlich bleiben.\n')
  await dash(service, 'folders/verschieben', { session, json: { ordner: 'karten', ziel: 'archiv' } })
  await dash(service, 'folders/verschieben', { session, json: { ordner: 'archiv/karten', ziel: '' } })
  await dash(service, 'media/loeschen', {
    session,
    json: { pfade: ['items/rope.png', 'items/torch.png', 'karten/wueste.jpg'] },
  })
  await dash(service, 'freigaben', { session, json: { ordner: 'karten' } })
  await dash(service, 'sicherung?warten=1', { method: 'POST', session })
  for (const [at, name] of ITEMS.slice(0, 18).entries())
    await setRetrievals(service.dataDir, `items/${name}.png`, Math.round(2400 / (1 + ((at * 7) % 18))))
  const days = Array.from({ length: 90 }, (_, at) =>
    Math.round(120 + 60 * Math.sin(at / 2.1) + 3 * at + (at % 7 > 4 ? 120 : 0)),
  )
  await setRetrievalDays(service.dataDir, days)
  for (const [at, name] of ITEMS.slice(0, 18).entries())
    await setFileDays(
      service.dataDir,
      `items/${name}.png`,
      days.map(count => Math.round(count / (10 + 2 * ((at * 7) % 18)))),
    )
  await setFileDays(
    service.dataDir,
    'clips/clip.mp4',
    days.map(count => Math.round(count / 9)),
  )
  await setUsageDays(
    service.dataDir,
    days.map((_, at) => 70_000 + 1_900 * at + (at > 50 ? 60_000 : 0)),
  )
  await eventually('all previews', async () => {
    const response = await dash(service, 'media?unterordner=1&art=bilder&anzahl=200', { session })
    const { dateien } = (await response.json()) as { dateien: { path: string }[] }
    const previews = await Promise.all(dateien.map(({ path }) => fetch(`${service.url}/t/${path}.webp`)))
    return previews.every(preview => preview.status === 200)
  })
}

/** A transparent sign in strong colours. */
function item(at: number): Promise<Uint8Array<ArrayBuffer>> {
  const hue = (at * 47) % 360
  const shapes = [
    '<circle cx="64" cy="64" r="44"/>',
    '<path d="M64 14 110 64 64 114 18 64z"/>',
    '<path d="M30 20h68v50c0 26-34 40-34 40S30 96 30 70z"/>',
    '<path d="M56 14h16v20l26 62a12 12 0 0 1-11 18H41a12 12 0 0 1-11-18l26-62z"/>',
    '<path d="m64 12 15 34 37 4-28 25 8 37-32-19-32 19 8-37-28-25 37-4z"/>',
  ]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 128" width="256" height="256"><defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="hsl(${hue} 80% 66%)"/><stop offset="1" stop-color="hsl(${hue + 40} 70% 38%)"/></linearGradient></defs><g fill="url(#g)" stroke="hsl(${hue} 60% 25%)" stroke-width="4" stroke-linejoin="round">${shapes[at % shapes.length]}</g></svg>`
  return picture(svg, 'png')
}

/** Sky, sun, and overlapping hills. */
function scene(at: number): Promise<Uint8Array<ArrayBuffer>> {
  const hue = (at * 53 + 190) % 360
  const hills = [0, 1, 2, 3]
    .map(layer => {
      const base = 320 + layer * 80
      const wave = [0, 1, 2, 3, 4, 5, 6].map(
        x => `${x * 160},${base + Math.round(50 * Math.sin(x * 1.7 + layer * 2 + at))}`,
      )
      return `<path d="M0 720V${base} L${wave.join(' L')} V720z" fill="hsl(${hue + layer * 12} 38% ${46 - layer * 10}%)"/>`
    })
    .join('')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="640" viewBox="0 0 960 640"><defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="hsl(${hue} 60% 62%)"/><stop offset="1" stop-color="hsl(${hue - 150} 80% 84%)"/></linearGradient></defs><rect width="960" height="640" fill="url(#s)"/><circle cx="${200 + ((at * 170) % 600)}" cy="190" r="64" fill="hsl(48 100% 88%)"/>${hills}</svg>`
  return picture(svg, 'jpeg')
}

const picture = async (svg: string, format: 'png' | 'jpeg') =>
  new Uint8Array(await sharp(Buffer.from(svg)).toFormat(format).toBuffer())
