/** How soon the gallery can be used, and how smoothly it scrolls, in a browser that has nothing of it yet. */
import { resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { firstLoadSize } from '../dashboard/scripts/first-load.ts'
import { openPage } from '../test/browser/dashboard.ts'
import type { Service } from '../test/support/service.ts'
import { eventually } from '../test/support/wait.ts'

const DIST = resolve(import.meta.dir, '../dashboard/dist')

/** Milliseconds; of the script bytes. */
export const BARS = {
  interactive: 1000,
  nextPage: 120,
  search: 250,
  longestTask: 50,
  longestOnward: 50,
  script: 220_000,
} as const

/** Pixels that are scrolled, or the whole page where it is shorter. */
const SCROLLED = 12_000

export interface Speed extends Record<keyof typeof BARS, number> {
  /**
   * How much longer the main thread took than it worked: it waited for a core that others had. 1 where it had
   * its own.
   */
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

/** A folder with more than 200 files, and a word that more than a page of files have in their names. */
export interface Measured {
  address: string
  word: string
}

/** The folder opens in justified rows, and is scrolled as a page of 200 and with infinite scrolling. */
export async function measureGallery(
  browser: Browser,
  service: Service,
  session: string,
  { address, word }: Measured,
): Promise<Speed> {
  const page = await openPage(browser, service, session, {})
  try {
    await servePreviews(page)
    await page.addInitScript(WATCH)
    const protocol = await page.context().newCDPSession(page)
    await protocol.send('Performance.enable')
    await openCards(page, `${service.url}${address}`)
    const interactive = await answersAt(page)
    const nextPage = await turnPages(page)
    const search = await searchFor(page, word)
    await openCards(page, `${service.url}${address}&anzahl=200`)
    await answersAt(page)
    const longestTask = await scrollThrough(page)
    await page.evaluate(`localStorage.setItem('fundus-weiter', 'true')`)
    await openCards(page, `${service.url}${address}`)
    await answersAt(page)
    const longestOnward = await scrollThrough(page)
    const { metrics } = await protocol.send('Performance.getMetrics')
    const seconds = (name: string) => metrics.find(metric => metric.name === name)?.value ?? Number.NaN
    const contention = Math.max(1, seconds('TaskDuration') / seconds('ThreadTime'))
    return {
      interactive,
      nextPage,
      search,
      longestTask,
      longestOnward,
      script: firstLoadSize(DIST).script,
      contention,
    }
  } finally {
    await page.context().close()
  }
}

async function openCards(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await eventually('the cards are there', () => page.evaluate('window.cardsAt !== undefined'))
}

/**
 * The moment from which a key is answered: after the cards, and after whatever keeps the main thread busy.
 */
async function answersAt(page: Page): Promise<number> {
  await page.keyboard.press('ArrowRight')
  await eventually('a key is answered', () =>
    page.evaluate(`document.activeElement.closest('[data-file]') !== null`),
  )
  return (await page.evaluate(
    'Math.max(window.cardsAt, ...window.longTasks.map(task => task.startTime + task.duration))',
  )) as number
}

/**
 * Answers when other cards are drawn, and how many milliseconds after the last event of this kind that was.
 */
const untilOtherCards = (event: string) => `new Promise(done => {
  const first = () => document.querySelector('[data-file]')?.dataset.file
  const before = first()
  let began = 0
  const note = ({ timeStamp }) => { began = timeStamp }
  addEventListener('${event}', note, true)
  const observer = new MutationObserver(() => {
    if (first() === undefined || first() === before) return
    observer.disconnect()
    removeEventListener('${event}', note, true)
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)))
  })
  observer.observe(document.body, { childList: true, subtree: true, attributes: true })
})`

/** The middle of several turns, the last of them far into the list. */
async function turnPages(page: Page): Promise<number> {
  const times: number[] = []
  const pages = page.getByRole('navigation', { name: 'Seiten' }).last()
  for (const button of ['Nächste Seite', 'Nächste Seite', 'last']) {
    const target = button === 'last' ? pages.getByRole('button').nth(-2) : pages.getByLabel(button)
    await target.scrollIntoViewIfNeeded()
    const turned = page.evaluate(untilOtherCards('click')) as Promise<number>
    await target.click()
    times.push(await turned)
  }
  return times.toSorted((a, b) => a - b)[1]!
}

/**
 * From the last key to the cards that were found. On a busy machine a key may come so late that the part of
 * the word before it is searched for; then nothing was measured, and no bar is reached.
 */
async function searchFor(page: Page, word: string): Promise<number> {
  await page.keyboard.press('/')
  const found = page.evaluate(untilOtherCards('keydown')) as Promise<number>
  await page.keyboard.type(word, { delay: 20 })
  const time = await found
  return new URL(page.url()).searchParams.get('suche') === word ? time : Number.POSITIVE_INFINITY
}

/** By the wheel, from the top; the longest task on the way, 0 where none was long enough to be told. */
async function scrollThrough(page: Page): Promise<number> {
  await page.mouse.move(800, 500)
  const from = (await page.evaluate('performance.now()')) as number
  const atEnd = () =>
    page.evaluate(
      `scrollY >= ${SCROLLED} || scrollY + innerHeight >= document.documentElement.scrollHeight - 2`,
    )
  do {
    await page.mouse.wheel(0, 600)
    await page.evaluate('new Promise(done => requestAnimationFrame(() => setTimeout(done)))')
  } while (!(await atEnd()))
  return (await page.evaluate(
    `Math.max(0, ...window.longTasks.filter(task => task.startTime >= ${from}).map(task => task.duration))`,
  )) as number
}

/**
 * Files of a seeded library have no previews on disk; each gets a real picture, for decoding is a part of
 * scrolling.
 */
async function servePreviews(page: Page): Promise<void> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const picture = sharp({ create: { width: 320, height: 320, channels: 3, background: '#888', noise } })
  const body = await picture.webp().toBuffer()
  await page.route('**/api/dash/vorschau/**', route => route.fulfill({ contentType: 'image/webp', body }))
}

export const misses = (speed: Speed) =>
  (Object.keys(BARS) as (keyof typeof BARS)[]).filter(name => speed[name] > BARS[name])

export const tell = (speed: Speed) => {
  const { interactive, nextPage, search, longestTask, longestOnward, script, contention } = speed
  return (
    `interactive after ${Math.round(interactive)} ms, next page after ${Math.round(nextPage)} ms, ` +
    `search ${Math.round(search)} ms after the last key, longest task while scrolling ${Math.round(longestTask)} ms, ${Math.round(longestOnward)} ms in a list that goes on, ` +
    `script ${(script / 1000).toFixed(1)} kB compressed; waited for a core: × ${contention.toFixed(1)}`
  )
}
