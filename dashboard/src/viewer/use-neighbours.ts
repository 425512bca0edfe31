/** Preloads the neighbouring pictures, so that a step shows them at once. */
import { useEffect } from 'react'
import type { OpenedFile } from '../files/details/use-opened.ts'
import { useContentSources } from '../ui/files/content.ts'

/** Maximum bytes of a picture that is preloaded. */
const MAX_PRELOAD_BYTES = 20_000_000

export function useNeighbours({ previous, next }: OpenedFile): void {
  const sources = useContentSources()
  const addresses = [next, previous].map(file =>
    file?.art === 'bilder' && file.size <= MAX_PRELOAD_BYTES ? (sources.file(file.path) ?? '') : '',
  )
  const key = addresses.join(' ')
  useEffect(() => {
    const images = key
      .split(' ')
      .filter(address => address !== '')
      .map(address => Object.assign(new Image(), { src: address }))
    // After a quick step the new neighbours are loaded first.
    return () => {
      for (const image of images) if (!image.complete) image.src = ''
    }
  }, [key])
}
