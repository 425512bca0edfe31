/** A group of controls with a single Tab stop; the arrow keys move among the controls. */
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { pressedKeysOf } from '../../state/pressed-keys.ts'

export interface RovingFocusProps {
  /** Accessible name of the group. */
  label: string
  vertical?: boolean
  role?: 'toolbar' | 'group'
  className?: string | undefined
  children: ReactNode
}

const CONTROL_SELECTOR = 'a[href], button, [role="treeitem"]'
const ARROW_STEPS = {
  horizontal: { ArrowLeft: -1, ArrowRight: 1 },
  vertical: { ArrowUp: -1, ArrowDown: 1 },
} as const

export function RovingFocus({
  label,
  vertical = false,
  role = 'toolbar',
  className,
  children,
}: RovingFocusProps) {
  const container = useRef<HTMLDivElement>(null)
  const orientation = vertical ? 'vertical' : 'horizontal'
  useEffect(() => maintainTabStop(container.current!), [])
  const moveFocus = (event: KeyboardEvent) => {
    const steps = new Map<string, number>(Object.entries(ARROW_STEPS[orientation]))
    const step = steps.get(pressedKeysOf(event))
    const controls = controlsOf(container.current!)
    const index = controls.indexOf(event.target as HTMLElement)
    if (step === undefined || index < 0) return
    event.preventDefault()
    controls.at((index + step) % controls.length)?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the role is one of two, given by a property
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have a name
    <div
      ref={container}
      role={role}
      aria-label={label}
      {...(role === 'toolbar' && { 'aria-orientation': orientation })}
      className={className}
      onKeyDown={moveFocus}
    >
      {children}
    </div>
  )
}

const controlsOf = (container: HTMLElement) =>
  [...container.querySelectorAll<HTMLElement>(CONTROL_SELECTOR)].filter(
    element => element.offsetParent !== null && !element.matches(':disabled'),
  )

/**
 * Keeps one control reachable by Tab: the one that last had the focus. At first, and when that control was
 * removed or disabled, it is the link to the current page or else the first control. Returns a function that
 * stops this.
 */
function maintainTabStop(container: HTMLElement): () => void {
  let tabStop: HTMLElement | undefined
  const updateTabIndexes = () => {
    const controls = controlsOf(container)
    if (!tabStop || !controls.includes(tabStop))
      tabStop = controls.find(control => control.matches('[aria-current="page"]')) ?? controls[0]
    for (const control of controls) {
      const tabIndex = control === tabStop ? 0 : -1
      if (control.tabIndex !== tabIndex) control.tabIndex = tabIndex
    }
  }
  const moveTabStop = ({ target }: FocusEvent) => {
    tabStop = target as HTMLElement
    updateTabIndexes()
  }
  const observer = new MutationObserver(updateTabIndexes)
  observer.observe(container, {
    childList: true,
    subtree: true,
    attributeFilter: ['disabled', 'aria-current'],
  })
  container.addEventListener('focusin', moveTabStop)
  updateTabIndexes()
  return () => {
    observer.disconnect()
    container.removeEventListener('focusin', moveTabStop)
  }
}
