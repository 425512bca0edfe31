/**
 * Copies text to the clipboard, also on pages loaded over plain http, where browsers offer no clipboard API
 * (except on localhost).
 */

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const previousFocus = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.position = 'fixed'
  field.style.opacity = '0'
  // If the focus is in a dialog, the field is placed inside that dialog, because a dialog traps the focus.
  const dialog = previousFocus?.closest('[role="dialog"]') ?? document.body
  dialog.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (previousFocus instanceof HTMLElement) previousFocus.focus()
  return isCopied
}
