/** A relative time such as „vor 3 Stunden“, updated every minute; the tooltip has the exact time. */
import { Text, Tooltip } from '@mantine/core'
import { useFormat } from '../language/language.tsx'
import { createObservable, useObservable } from '../state/observable.ts'

const MINUTE = 60_000

/** A single clock for all times that are shown. */
const clock = createObservable(Date.now())
setInterval(() => clock.set(Date.now()), MINUTE)

export const useNow = () => useObservable(clock)

/** `none` is shown if there is no time. */
export function Time({ at, none = '–' }: { at: number | null; none?: string }) {
  const format = useFormat()
  // A time after the last tick of the clock, such as that of a new file, must not appear to be in the future.
  const now = Math.max(useNow(), at !== null && at <= Date.now() ? at : 0)
  if (at === null) return <>{none}</>
  return (
    <Tooltip label={format.moment(at)}>
      <Text component="time" inherit dateTime={new Date(at).toISOString()}>
        {format.relative(at, now)}
      </Text>
    </Tooltip>
  )
}
