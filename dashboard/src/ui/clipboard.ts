/** Copies to the clipboard, also on plain http, where the clipboard API does not exist. */

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
  // The field is placed inside the open dialog, if there is one, because a dialog traps the focus.
  const dialog = previousFocus?.closest('[role="dialog"]') ?? document.body
  dialog.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (previousFocus instanceof HTMLElement) previousFocus.focus()
  return isCopied
}
