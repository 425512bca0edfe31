/**
 * A larger picture on top of a preview. It is hidden until it has loaded; if it fails, the preview stays
 * visible.
 */
import { useEffect, useState } from 'react'
import classes from './file-preview.module.css'

/** Milliseconds until the larger picture is requested, so that nothing is requested while scrolling past. */
const REQUEST_DELAY_MS = 400

export function SharperPicture({ address }: { address: string }) {
  const [isRequested, setRequested] = useState(false)
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setRequested(true), REQUEST_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!isRequested) return null
  return (
    <img
      className={classes.picture}
      src={address}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      data-sharper={isLoaded ? 'loaded' : 'loading'}
      onLoad={() => setLoaded(true)}
    />
  )
}
