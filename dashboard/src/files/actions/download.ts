/**
 * Downloads a single file as it is, and several files or a folder as a ZIP that the service streams. Also
 * exports file lists.
 */

import type { ExportFormat } from '../../../../src/contract/files/choices.ts'
import { fileAddress } from '../../../../src/contract/paths/addresses.ts'
import { PATHS_MAX, RESULT_MAX_FILES } from '../../../../src/contract/values/input-limits.ts'
import { addressOf } from '../../api/client.ts'
import { useTexts } from '../../language/language.tsx'
import { nameOf } from '../../state/paths.ts'
import { filesHostBase, sameOriginFileAddress } from '../../ui/files/content.ts'
import { useNotify } from '../../ui/notify.tsx'
import {
  bodyForReading,
  type FileTarget,
  fileCountOf,
  isFolder,
  isWholeResult,
  singleFileOf,
  type Target,
} from '../target.ts'
import { actionWords } from '../words.ts'

const ZIP_ROUTE = 'herunterladen'
const EXPORT_ROUTE = 'export'

export type DownloadActions = ReturnType<typeof useDownload>

export function useDownload() {
  const { w, format } = useTexts(actionWords)
  const notify = useNotify()
  /**
   * Submits a form. If there are too many files, shows a notice instead: the service would refuse the form,
   * and the error page of the service would replace this page.
   */
  const submitUnlessTooMany = (route: string, target: FileTarget, fields: Record<string, string>) => {
    const maxFiles = isWholeResult(target) ? RESULT_MAX_FILES : PATHS_MAX
    if (fileCountOf(target) > maxFiles) return notify.showRefusal(w.tooMany(format.number(maxFiles)))
    const [[name, value] = ['', '']] = Object.entries(bodyForReading(target))
    submitForm(route, { ...fields, [name]: JSON.stringify(value) })
  }
  return {
    downloadFiles(target: Target): void {
      const file = singleFileOf(target)
      if (isFolder(target)) startDownload(addressOf(ZIP_ROUTE, { ordner: target }), '')
      else if (file) startDownload(downloadAddress(file.path), nameOf(file.path))
      else submitUnlessTooMany(ZIP_ROUTE, target, {})
    },
    exportList(target: Target, exportFormat: ExportFormat): void {
      if (isFolder(target))
        startDownload(addressOf(EXPORT_ROUTE, { format: exportFormat, folder: target }), '')
      else submitUnlessTooMany(EXPORT_ROUTE, target, { format: exportFormat })
    },
  }
}

function downloadAddress(path: string): string {
  const base = filesHostBase.get()
  return base ? fileAddress(base, path) : sameOriginFileAddress(path)
}

function startDownload(href: string, name: string): void {
  const link = Object.assign(document.createElement('a'), { href, download: name })
  document.body.append(link)
  link.click()
  link.remove()
}

/**
 * Sends a request by a form, not by `fetch`: the browser then saves the answer without holding it in memory.
 */
function submitForm(route: string, fields: Record<string, string>): void {
  const form = Object.assign(document.createElement('form'), {
    action: addressOf(route),
    method: 'post',
    enctype: 'multipart/form-data',
  })
  for (const [name, value] of Object.entries(fields)) {
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
  }
  document.body.append(form)
  form.submit()
  form.remove()
}
