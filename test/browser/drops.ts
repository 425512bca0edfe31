/** Files that are dropped from the desktop, chosen in the browser's dialog, or pasted. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { openFolder } from '../support/folder.ts'

export interface DesktopFolder extends AsyncDisposable {
  path(name: string): string
}

/** A folder on the disk, as on somebody's desktop; names may contain folders. */
export async function desktop(files: Readonly<Record<string, string | Uint8Array>>): Promise<DesktopFolder> {
  const folder = await openFolder()
  const root = folder.path
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), content)
  }
  return {
    path: name => join(root, name),
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  }
}

/**
 * Real drags, folders included, as the system hands them to the browser. Hovers over the element until
 * `drop`.
 */
export async function dragOver(page: Page, paths: readonly string[], over: Locator) {
  const box = await over.boundingBox()
  if (!box) throw new Error('What is dropped on cannot be seen.')
  const session = await page.context().newCDPSession(page)
  const at = { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 20) }
  const data = { items: [], files: [...paths], dragOperationsMask: 1 }
  const send = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, ...at, data })
  await send('dragEnter')
  await send('dragOver')
  return { drop: () => send('drop') }
}

export const drop = async (page: Page, paths: readonly string[], on: Locator) =>
  (await dragOver(page, paths, on)).drop()

/** Clicks a button that opens the browser's file dialog, and chooses files there. */
export async function chooseBy(page: Page, button: Locator, paths: string | string[]): Promise<void> {
  const asked = page.waitForEvent('filechooser')
  await button.click()
  await (await asked).setFiles(paths)
}

/** A file from the clipboard, as a screenshot program leaves it. */
export async function pasteFile(page: Page, name: string, content: string): Promise<void> {
  // Passed as text, because it uses what only a browser has.
  await page.evaluate(`{
    const transfer = new DataTransfer()
    transfer.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}, { type: 'image/png' }))
    const how = { clipboardData: transfer, bubbles: true, cancelable: true }
    document.body.dispatchEvent(new ClipboardEvent('paste', how))
  }`)
}
