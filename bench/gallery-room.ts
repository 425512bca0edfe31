/**
 * `npm run bench -- gallery-room`: how much of the window is picture on the files page, with the same 3 000
 * files each time.
 *   npm run bench -- gallery-room <commit>   measures that commit first and compares
 *   --out DIR                                where the pictures go, a new temporary folder unless given
 * Takes a picture of the page at 1366, 1920 and 390 pixels, light and dark, and counts the pixels that are
 * picture. Exits with 1 when at 1366 pixels less than 75 % of the width is files, or less than 1.6 times of
 * what the commit had is picture.
 */
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { launchOwnChromium } from '../test/browser/chromium.ts'
import { openPage } from '../test/browser/dashboard.ts'
import { ADMIN_ENV, signIn } from '../test/support/dashboard.ts'
import type { Service, startService } from '../test/support/service.ts'
import { eventually } from '../test/support/wait.ts'
import { commit } from './machine.ts'
import { MARKER, PICTURE_FOLDER, seedPictures, servePictures } from './picture-library.ts'

const REPOSITORY = resolve(import.meta.dir, '..')
const MORE_PICTURE = 1.6
const WIDTH_SHARE = 0.75
const SIZES = [
  { width: 1366, height: 768 },
  { width: 1920, height: 1080 },
  { width: 390, height: 844 },
]
const SCHEMES = ['light', 'dark'] as const
const SCROLLED = 900

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' } },
})

/** Shares of the window, from 0 to 1. */
interface Room {
  /** Pixels of pictures: as the page opens, further down, and beside the details of a file. */
  opened: number
  scrolled: number
  beside: number
  /** From the left edge of the leftmost card to the right edge of the rightmost one. */
  width: number
}

async function measureRooms(name: string, root: string, out: string): Promise<Room[]> {
  const built = Bun.spawnSync([process.execPath, 'dashboard/scripts/build.ts', '--if-needed'], { cwd: root })
  if (built.exitCode !== 0) throw new Error(`build: ${built.stderr.toString()}`)
  const theirs = (await import(join(root, 'test/support/service.ts'))) as {
    startService: typeof startService
  }
  await using service = await theirs.startService({ ownProcess: true, env: ADMIN_ENV })
  await seedPictures(service.dataDir)
  const session = await signIn(service)
  const browser = await launchOwnChromium()
  try {
    const rooms: Room[] = []
    for (const size of SIZES) {
      rooms.push(await measure(browser, service, session, size))
      for (const scheme of SCHEMES) {
        const page = await openGallery(browser, service, session, { viewport: size, scheme }, 'landscape')
        await page.screenshot({ path: join(out, `${name}-${size.width}-${scheme}.png`) })
        await page.context().close()
      }
      console.log(`${name}, ${size.width} × ${size.height}: ${tell(rooms.at(-1)!)}`)
    }
    return rooms
  } finally {
    await browser.close()
  }
}

async function openGallery(
  browser: Browser,
  service: Service,
  session: string,
  looks: { viewport: { width: number; height: number }; scheme?: 'light' | 'dark' },
  drawing: 'landscape' | 'marker',
): Promise<Page> {
  const page = await openPage(browser, service, session, looks)
  await servePictures(page, drawing)
  await page.goto(`${service.url}/dateien?ordner=${PICTURE_FOLDER}`)
  await settled(page)
  return page
}

/** Every picture that can be seen is there. */
async function settled(page: Page): Promise<void> {
  await eventually('the pictures are there', () =>
    page.evaluate(`document.querySelectorAll('[data-file] img').length > 0 &&
      [...document.querySelectorAll('[data-file] img')].every(image => {
        const { top, bottom } = image.getBoundingClientRect()
        return image.complete || top > innerHeight || bottom < 0
      })`),
  )
  await page.evaluate('new Promise(done => setTimeout(done, 300))')
}

async function measure(
  browser: Browser,
  service: Service,
  session: string,
  viewport: { width: number; height: number },
): Promise<Room> {
  const page = await openGallery(browser, service, session, { viewport }, 'marker')
  try {
    const opened = await pictureShare(page)
    const width = (await page.evaluate(`(() => {
      const boxes = [...document.querySelectorAll('[data-file]')].map(card => card.getBoundingClientRect())
      return (Math.max(...boxes.map(box => box.right)) - Math.min(...boxes.map(box => box.left))) / innerWidth
    })()`)) as number
    await page.evaluate(`scrollTo({ top: ${SCROLLED}, behavior: 'instant' })`)
    await settled(page)
    const scrolled = await pictureShare(page)
    await page.evaluate('scrollTo({ top: 0, behavior: "instant" })')
    await page.locator('[data-file] a').first().focus()
    await page.keyboard.press('Enter')
    await page.locator('#einzelheiten').waitFor()
    await settled(page)
    return { opened, scrolled, width, beside: await pictureShare(page) }
  } finally {
    await page.context().close()
  }
}

async function pictureShare(page: Page): Promise<number> {
  const { data, info } = await sharp(await page.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  let pixels = 0
  for (let at = 0; at < data.length; at += 3)
    if (data[at] === MARKER.r && data[at + 1] === MARKER.g && data[at + 2] === MARKER.b) pixels++
  return pixels / (info.width * info.height)
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`
const tell = ({ opened, scrolled, beside, width }: Room) =>
  `picture ${percent(opened)} of the window, ${percent(scrolled)} further down, ${percent(beside)} beside the details; ` +
  `files over ${percent(width)} of the width`

/** A worktree of the commit with the packages of this one. */
async function checkOut(folder: string, which: string): Promise<string> {
  const checkout = join(folder, 'checkout')
  const git = (...args: string[]) => Bun.spawnSync(['git', ...args], { cwd: REPOSITORY })
  const { exitCode, stderr } = git('worktree', 'add', '--detach', checkout, which)
  if (exitCode !== 0) throw new Error(stderr.toString())
  // Also when the run is broken off.
  process.on('exit', () => git('worktree', 'remove', '--force', checkout))
  await symlink(join(REPOSITORY, 'node_modules'), join(checkout, 'node_modules'))
  return checkout
}

const folder = await mkdtemp(join(tmpdir(), 'fundus-room-'))
const out = resolve(options.out ?? (await mkdtemp(join(tmpdir(), 'fundus-room-pictures-'))))
await mkdir(out, { recursive: true })
const [other] = positionals
let isMet = false
try {
  const before =
    other === undefined ? undefined : await measureRooms('before', await checkOut(folder, other), out)
  const [laptop] = await measureRooms('now', REPOSITORY, out)
  const wide = laptop!.width >= WIDTH_SHARE
  const factor = before && laptop!.opened / before[0]!.opened
  console.log(`Pictures in ${out}. This checkout: ${commit()}.`)
  if (factor !== undefined) console.log(`At 1366 pixels ${factor.toFixed(2)} × as much picture as ${other}.`)
  isMet = wide && (factor === undefined || factor >= MORE_PICTURE)
} finally {
  await rm(folder, { recursive: true, force: true })
}
// Connections that are kept alive would hold the process.
process.exit(isMet ? 0 : 1)
