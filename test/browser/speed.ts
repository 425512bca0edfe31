/** How soon the gallery can be used, and how smoothly it scrolls, in a browser that has nothing of it yet. */
import { resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { firstLoad } from '../../dashboard/scripts/first-load.ts'
import type { Service } from '../support/service.ts'
import { eventually } from '../support/wait.ts'
import { openPage } from './dashboard.ts'

const DIST = resolve(import.meta.dir, '../../dashboard/dist')

/** What issue 6 asks for: milliseconds, milliseconds, bytes. */
export const BARS = { interactive: 1500, longestTask: 100, script: 350_000 } as const

export interface Speed extends Record<keyof typeof BARS, number> {
  /** How much longer the main thread took than it worked: it waited for a core that others had. 1 where it had its own. */
  contention: number
}

/** When the first card is on the screen, and every task of the main thread that took longer than 50 ms. */
const WATCH = `
  window.longTasks = []
  new PerformanceObserver(list => {
    for (const { startTime, duration } of list.getEntries()) window.longTasks.push({ startTime, duration })
  }).observe({ type: 'longtask', buffered: true })
  new MutationObserver((_changes, observer) => {
    if (!document.querySelector('[data-file]')) return
    observer.disconnect()
    requestAnimationFrame(() => requestAnimationFrame(() => { window.cardsAt = performance.now() }))
  }).observe(document, { childList: true, subtree: true })
`

/** `address`: a folder of at least 200 files; it opens as it does by itself, and is scrolled as a page of 200. */
export async function measureGallery(
  browser: Browser,
  service: Service,
  session: string,
  address: string,
): Promise<Speed> {
  const page = await openPage(browser, service, session, {})
  try {
    await servePreviews(page)
    await page.addInitScript(WATCH)
    const protocol = await page.context().newCDPSession(page)
    await protocol.send('Performance.enable')
    await openCards(page, `${service.url}${address}`)
    const interactive = await answersAt(page)
    await openCards(page, `${service.url}${address}&anzahl=200`)
    await answersAt(page)
    const longestTask = await scrollThrough(page)
    const { metrics } = await protocol.send('Performance.getMetrics')
    const seconds = (name: string) => metrics.find(metric => metric.name === name)?.value ?? Number.NaN
    const contention = Math.max(1, seconds('TaskDuration') / seconds('ThreadTime'))
    return { interactive, longestTask, script: firstLoad(DIST).script, contention }
  } finally {
    await page.context().close()
  }
}

async function openCards(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await eventually('the cards are there', () => page.evaluate('window.cardsAt !== undefined'))
}

/** The moment from which a key is answered: after the cards, and after whatever keeps the main thread busy. */
async function answersAt(page: Page): Promise<number> {
  await page.keyboard.press('ArrowRight')
  await eventually('a key is answered', () =>
    page.evaluate(`document.activeElement.closest('[data-file]') !== null`),
  )
  return (await page.evaluate(
    'Math.max(window.cardsAt, ...window.longTasks.map(task => task.startTime + task.duration))',
  )) as number
}

/** From the top to the bottom by the wheel; the longest task on the way, 0 where none was long enough to be told. */
async function scrollThrough(page: Page): Promise<number> {
  await page.mouse.move(800, 500)
  const from = (await page.evaluate('performance.now()')) as number
  const atEnd = () => page.evaluate('scrollY + innerHeight >= document.documentElement.scrollHeight - 2')
  do {
    await page.mouse.wheel(0, 600)
    await page.evaluate('new Promise(done => requestAnimationFrame(() => setTimeout(done)))')
  } while (!(await atEnd()))
  return (await page.evaluate(
    `Math.max(0, ...window.longTasks.filter(task => task.startTime >= ${from}).map(task => task.duration))`,
  )) as number
}

/** Files of a seeded library have no previews on disk; each gets a real picture, for decoding is a part of scrolling. */
async function servePreviews(page: Page): Promise<void> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const picture = sharp({ create: { width: 320, height: 320, channels: 3, background: '#888', noise } })
  const body = await picture.webp().toBuffer()
  await page.route('**/api/dash/vorschau/**', route => route.fulfill({ contentType: 'image/webp', body }))
}

/** `patience`: how much longer it may take. Script does not grow by that. */
export const misses = (speed: Speed, patience = 1) =>
  (Object.keys(BARS) as (keyof typeof BARS)[]).filter(
    name => speed[name] > BARS[name] * (name === 'script' ? 1 : patience),
  )

export const tell = ({ interactive, longestTask, script, contention }: Speed) =>
  `interactive after ${Math.round(interactive)} ms, longest task while scrolling ${Math.round(longestTask)} ms, ` +
  `script ${(script / 1000).toFixed(1)} kB compressed; waited for a core: × ${contention.toFixed(1)}`
