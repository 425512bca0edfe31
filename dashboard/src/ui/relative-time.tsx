/** A relative time such as „vor 3 Stunden“, updated every minute; the tooltip has the exact time. */
import { Text, Tooltip } from '@mantine/core'
import { useFormat } from '../language/language.tsx'
import { createObservable, useObservable } from '../state/observable.ts'

const MINUTE_MS = 60_000

/** The current time, updated every minute: a single clock for all relative times. */
const currentTime = createObservable(Date.now())
setInterval(() => currentTime.set(Date.now()), MINUTE_MS)

export const useNow = () => useObservable(currentTime)

/** `emptyText` is shown if `timestamp` is null. */
export function RelativeTime({
  timestamp,
  none: emptyText = '–',
}: {
  timestamp: number | null
  none?: string
}) {
  const format = useFormat()
  // A time after the last tick of the clock, such as that of a new file, must not appear to be in the future.
  const now = Math.max(useNow(), timestamp !== null && timestamp <= Date.now() ? timestamp : 0)
  if (timestamp === null) return <>{emptyText}</>
  return (
    <Tooltip label={format.moment(timestamp)}>
      <Text component="time" inherit dateTime={new Date(timestamp).toISOString()}>
        {format.relative(timestamp, now)}
      </Text>
    </Tooltip>
  )
}
