/**
 * A process that uploads a file with Uppy in Chromium: arguments are the file, the address, the token and the
 * path.
 */
import { launchOwnChromium } from '../browser/chromium.ts'
import { openUppyPage } from './uppy.ts'

const [file = '', endpoint = '', token = '', path = ''] = process.argv.slice(2)

const browser = await launchOwnChromium()
const page = await openUppyPage(browser)
try {
  await page.upload({ file, endpoint, path, headers: { Authorization: `Bearer ${token}` } })
} finally {
  await browser.close()
}
process.exit(0)
