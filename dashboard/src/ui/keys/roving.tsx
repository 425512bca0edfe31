/** A group of controls with a single Tab stop; the arrow keys move among the controls. */
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { keysOf } from './keys.ts'

export interface RovingProps {
  /** Accessible name. */
  label: string
  vertical?: boolean
  role?: 'toolbar' | 'group'
  className?: string | undefined
  children: ReactNode
}

const CONTROLS = 'a[href], button, [role="treeitem"]'
const STEPS = {
  horizontal: { ArrowLeft: -1, ArrowRight: 1 },
  vertical: { ArrowUp: -1, ArrowDown: 1 },
} as const

export function Roving({ label, vertical = false, role = 'toolbar', className, children }: RovingProps) {
  const row = useRef<HTMLDivElement>(null)
  const orientation = vertical ? 'vertical' : 'horizontal'
  useEffect(() => keepOneStop(row.current!), [])
  const press = (event: KeyboardEvent) => {
    const steps = new Map<string, number>(Object.entries(STEPS[orientation]))
    const by = steps.get(keysOf(event))
    const controls = controlsOf(row.current!)
    const at = controls.indexOf(event.target as HTMLElement)
    if (by === undefined || at < 0) return
    event.preventDefault()
    controls.at((at + by) % controls.length)?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the role is one of two, given by a property
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have a name
    <div
      ref={row}
      role={role}
      aria-label={label}
      {...(role === 'toolbar' && { 'aria-orientation': orientation })}
      className={className}
      onKeyDown={press}
    >
      {children}
    </div>
  )
}

const controlsOf = (row: HTMLElement) =>
  [...row.querySelectorAll<HTMLElement>(CONTROLS)].filter(
    each => each.offsetParent !== null && !each.matches(':disabled'),
  )

/**
 * Makes one control the Tab stop: the one that last had the focus, at first that of the current page or the
 * first one. Returns a function that ends this.
 */
function keepOneStop(row: HTMLElement): () => void {
  let stop: HTMLElement | undefined
  const mark = () => {
    const controls = controlsOf(row)
    if (!stop || !controls.includes(stop))
      stop = controls.find(each => each.matches('[aria-current="page"]')) ?? controls[0]
    for (const each of controls) {
      const tabIndex = each === stop ? 0 : -1
      if (each.tabIndex !== tabIndex) each.tabIndex = tabIndex
    }
  }
  const follow = ({ target }: FocusEvent) => {
    stop = target as HTMLElement
    mark()
  }
  const observer = new MutationObserver(mark)
  observer.observe(row, { childList: true, subtree: true, attributeFilter: ['disabled', 'aria-current'] })
  row.addEventListener('focusin', follow)
  mark()
  return () => {
    observer.disconnect()
    row.removeEventListener('focusin', follow)
  }
}
