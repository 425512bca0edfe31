/**
 * The seconds left until a time (as returned by `performance.now()`), updated every second; 0 if the time is
 * null or has passed.
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
