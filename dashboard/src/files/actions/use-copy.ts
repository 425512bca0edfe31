/** Copies addresses in one of the formats and confirms it. */

import { useTexts } from '../../language/language.tsx'
import { copyText as toClipboard } from '../../ui/clipboard.ts'
import { useNotify } from '../../ui/notify.tsx'
import type { FileAnswer } from '../types.ts'
import { actionWords } from '../words.ts'
import { type CopyForm, copyText } from './copy-forms.ts'

/** `quiet`: no notice, since the button shows the success. Returns whether copying worked. */
export type Copy = (
  files: readonly FileAnswer[],
  form?: CopyForm,
  options?: { quiet?: boolean },
) => Promise<boolean>

export function useCopy(): Copy {
  const { w, format } = useTexts(actionWords)
  const notify = useNotify()
  return async (files, form = 'text', { quiet = false } = {}) => {
    const copied = await toClipboard(copyText(form, files))
    if (!copied) notify.refused(w.copyFailed)
    else if (!quiet) notify.done(w.copied(files.length, format.number(files.length)))
    return copied
  }
}
