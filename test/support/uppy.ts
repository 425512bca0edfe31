/** A page on an origin of its own that uploads with Uppy, which others wrote, by tus. */
import { join } from 'node:path'
import type { Browser } from 'playwright-core'

export interface UppyUpload {
  /** A file on the disk. */
  file: string
  endpoint: string
  headers: Readonly<Record<string, string>>
  path: string
}

export interface UppyPage extends AsyncDisposable {
  /** Rejects if the upload fails. */
  upload(order: UppyUpload): Promise<void>
}

const HTML =
  '<!doctype html><title>page</title><input type="file"><script type="module" src="/uppy.js"></script>'

async function bundledPage(): Promise<string> {
  const entry = join(import.meta.dir, 'uppy-page.js')
  const { outputs } = await Bun.build({ entrypoints: [entry], format: 'esm', target: 'browser' })
  return outputs[0]!.text()
}

export async function openUppyPage(browser: Browser): Promise<UppyPage> {
  const script = await bundledPage()
  const origin = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) =>
      url.endsWith('.js')
        ? new Response(script, { headers: { 'Content-Type': 'text/javascript' } })
        : new Response(HTML, { headers: { 'Content-Type': 'text/html' } }),
  })
  const page = await browser.newPage()
  await page.goto(origin.url.href)
  return {
    async upload({ file, ...order }) {
      await page.locator('input').setInputFiles(file)
      const outcome = await page.evaluate(`uploadWithUppy(${JSON.stringify(order)})`)
      const { successful, failed } = outcome as { successful: number; failed: string[] }
      if (successful !== 1) throw new Error(`Uppy gave up: ${failed}`)
    },
    async [Symbol.asyncDispose]() {
      await page.close()
      await origin.stop(true)
    },
  }
}
