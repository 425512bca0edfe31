/** A time as one says it, with the exact one on hover; told anew every minute. */
import { Text, Tooltip } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { useFormat } from '../language/language.tsx'

const MINUTE = 60_000

let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One clock for all of them. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const each of listeners) each()
  }, MINUTE)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}

/** `none` is shown where there is no time. */
export function Time({ at, none = '–' }: { at: number | null; none?: string }) {
  const format = useFormat()
  // A file may be newer than the clock's last tick; it is not from the future.
  const seen = Math.max(useNow(), at !== null && at <= Date.now() ? at : 0)
  if (at === null) return <>{none}</>
  return (
    <Tooltip label={format.moment(at)}>
      <Text component="time" inherit dateTime={new Date(at).toISOString()}>
        {format.relative(at, seen)}
      </Text>
    </Tooltip>
  )
}
