/** Saves files to the person's own disk: one as it is, several or a folder as a ZIP that the service writes meanwhile. */
import { fileAddress } from '../../../../../src/contract/addresses.ts'
import { addressOf } from '../../../api/client.ts'
import { filesHostBase, ownFileAddress } from '../../../parts/content.ts'
import { nameOf } from '../../../parts/paths.ts'

const ROUTE = 'herunterladen'

export function downloadFiles(paths: readonly string[]): void {
  const [only = ''] = paths
  const base = filesHostBase.get()
  if (paths.length > 1) submit(paths)
  else click(base ? fileAddress(base, only) : ownFileAddress(only), nameOf(only))
}

export const downloadFolder = (folder: string) => click(addressOf(ROUTE, { ordner: folder }), '')

function click(href: string, name: string): void {
  const link = Object.assign(document.createElement('a'), { href, download: name })
  document.body.append(link)
  link.click()
  link.remove()
}

/** A form and not a request of the page: a browser saves the answer to a form as it comes, without holding it in memory. */
function submit(paths: readonly string[]): void {
  const form = Object.assign(document.createElement('form'), {
    action: addressOf(ROUTE),
    method: 'post',
    enctype: 'multipart/form-data',
  })
  form.append(
    Object.assign(document.createElement('input'), {
      type: 'hidden',
      name: 'pfade',
      value: JSON.stringify(paths),
    }),
  )
  document.body.append(form)
  form.submit()
  form.remove()
}
