/** What the tests of the viewer do again and again, by role and German label. */
import type { Page } from 'playwright-core'
import { eventually } from '../support/wait.ts'
import type { DashboardTest, DESKTOP } from './dashboard.ts'

export const table = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
export const tool = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true })
export const picture = (page: Page, name: string) => table(page, name).getByRole('img', { name, exact: true })

/** Also announced to screen readers. */
export const zoomOf = async (page: Page) =>
  Number.parseInt((await page.getByTestId('zoom').innerText()) || '0', 10)
export async function zoomIs(page: Page, wanted: (percent: number) => boolean): Promise<void> {
  let percent = 0
  const isWanted = async () => {
    percent = await zoomOf(page)
    return wanted(percent)
  }
  await eventually('the zoom', isWanted).catch(error => {
    throw new Error(`${error.message}, it is ${percent} %`, { cause: error })
  })
}
export const loaded = (page: Page, name: string) =>
  eventually(
    `${name} is loaded`,
    async () =>
      (await picture(page, name).evaluate(
        image => (image as unknown as { naturalWidth: number }).naturalWidth > 0,
      )) && (await zoomOf(page)) > 0,
  )

export const openViewer =
  (on: DashboardTest) =>
  async (path: string, options: Parameters<DashboardTest['open']>[1] = {}): Promise<Page> => {
    const page = await on.open(`/dateien?ordner=${path.split('/')[0]}&gross=${path}`, options)
    await table(page, path.split('/')[1]!).waitFor()
    return page
  }

export const middle = ({ width, height }: typeof DESKTOP) => [width / 2, height / 2] as const

interface Point {
  x: number
  y: number
}

export async function touchOn(page: Page) {
  const hand = await page.context().newCDPSession(page)
  return (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Point[]) =>
    hand.send('Input.dispatchTouchEvent', { type, touchPoints })
}

/** One finger from one point to another. */
export async function swipe(page: Page, from: Point, to: Point): Promise<void> {
  const touch = await touchOn(page)
  await touch('touchStart', from)
  for (const part of [0.25, 0.5, 0.75, 1])
    await touch('touchMove', { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part })
  await touch('touchEnd')
}
