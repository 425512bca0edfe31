/** Copies the addresses of files in one of the formats, and shows whether this succeeded. */

import { useTexts } from '../../language/language.tsx'
import { pictureSizes } from '../../state/picture-sizes.ts'
import { copyText } from '../../ui/clipboard.ts'
import { useNotify } from '../../ui/notify.tsx'
import type { FileAnswer } from '../types.ts'
import { type ActionTexts, actionWords } from '../words.ts'
import { type CopyFormat, formatAddresses, responsiveHtml } from './copy-forms.ts'

/** The names of the texts for a number of files. */
type CountTextName = {
  [Name in keyof ActionTexts]: ActionTexts[Name] extends (count: number, formattedCount: string) => string
    ? Name
    : never
}[keyof ActionTexts]

/**
 * Copies the addresses of files, and resolves to whether this succeeded. `noticeName` is the text that
 * confirms the success; null: none, because the button shows it.
 */
export type CopyAddresses = (
  files: readonly FileAnswer[],
  copyFormat?: CopyFormat | 'responsive',
  options?: { noticeName?: CountTextName | null },
) => Promise<boolean>

export function useCopyAddresses(): CopyAddresses {
  const { w, format } = useTexts(actionWords)
  const notify = useNotify()
  return async (files, copyFormat = 'text', { noticeName = 'copied' } = {}) => {
    const text =
      copyFormat === 'responsive'
        ? responsiveHtml(files, pictureSizes.get())
        : formatAddresses(copyFormat, files)
    const isCopied = await copyText(text)
    if (!isCopied) notify.showRefusal(w.copyFailed)
    else if (noticeName) notify.showSuccess(w[noticeName](files.length, format.number(files.length)))
    return isCopied
  }
}
