/**
 * The seconds left until a time (as returned by `performance.now()`), updated every second; 0 if the time is
 * null or has passed.
 */
import { useEffect, useState } from 'react'

export function useCountdown(endTime: number | null): number {
  const secondsLeft = () =>
    endTime === null ? 0 : Math.max(0, Math.ceil((endTime - performance.now()) / 1000))
  const [seconds, setSeconds] = useState(secondsLeft)
  useEffect(() => {
    setSeconds(secondsLeft())
    if (endTime === null) return
    const timer = setInterval(() => {
      setSeconds(secondsLeft())
      if (performance.now() >= endTime) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [endTime])
  return seconds
}
