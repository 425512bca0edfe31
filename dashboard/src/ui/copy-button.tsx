/**
 * A button that copies a text and shows a tick for confirmation. It also works on pages loaded over plain
 * http, where most browsers offer no clipboard API.
 */
import { notifications } from '@mantine/notifications'
import { type Icon, IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useWords } from '../language/language.tsx'
import { ButtonWithIcon, IconButton } from './buttons.tsx'
import { copyText } from './clipboard.ts'
import { words } from './words.ts'

const TICK_DURATION_MS = 1500

/** Returns whether a tick is shown, and a function that shows or hides it. The tick disappears by itself. */
export function useConfirmationTick() {
  const [isTicked, setTicked] = useState(false)
  useEffect(() => {
    if (!isTicked) return
    const timer = setTimeout(() => setTicked(false), TICK_DURATION_MS)
    return () => clearTimeout(timer)
  }, [isTicked])
  return [isTicked, setTicked] as const
}

export interface CopyButtonProps {
  /** The text to copy, or a function that makes it on demand. */
  value: string | (() => string | Promise<string>)
  /** The text on the button: „Adresse kopieren“. */
  label?: string
  /** Whether only the icon is shown, with the label as its accessible name. */
  showsOnlyIcon?: boolean
  icon?: Icon
  variant?: 'filled' | 'default' | 'subtle'
  size?: 'xs' | 'sm'
}

export function CopyButton({
  value,
  label,
  showsOnlyIcon: compact = false,
  icon = IconCopy,
  variant = 'default',
  size = 'sm',
}: CopyButtonProps) {
  const w = useWords(words)
  const [isCopied, setCopied] = useConfirmationTick()
  const copy = async () => {
    const text = typeof value === 'string' ? value : await value()
    if (await copyText(text)) setCopied(true)
    else notifications.show({ color: 'red', title: w.copyFailed, message: text, autoClose: false })
  }
  const shownLabel = isCopied ? w.copied : (label ?? w.copy)
  const StateIcon = isCopied ? IconCheck : icon
  if (compact) {
    return <IconButton icon={StateIcon} label={shownLabel} onClick={copy} />
  }
  return <ButtonWithIcon icon={StateIcon} label={shownLabel} variant={variant} size={size} onClick={copy} />
}
