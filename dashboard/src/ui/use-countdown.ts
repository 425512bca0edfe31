/**
 * The seconds until `until` (a time of `performance.now()`), updated every second; 0 if it is null or has
 * passed.
 */
import { useEffect, useState } from 'react'

export function useCountdown(until: number | null): number {
  const secondsLeft = () => (until === null ? 0 : Math.max(0, Math.ceil((until - performance.now()) / 1000)))
  const [seconds, setSeconds] = useState(secondsLeft)
  useEffect(() => {
    setSeconds(secondsLeft())
    if (until === null) return
    const timer = setInterval(() => {
      setSeconds(secondsLeft())
      if (performance.now() >= until) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [until])
  return seconds
}
