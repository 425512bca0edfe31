/**
 * Preloads the previous and next picture, so that they appear immediately when the user steps to them. For a
 * video, only its preview is preloaded.
 */
import { useEffect } from 'react'
import { useContentSources } from '../../ui/files/content.ts'
import type { FileAnswer } from '../types.ts'
import { useSmallerAddress } from './smaller-size.ts'

/** A picture with more bytes than this is preloaded only if a smaller size is shown in its place. */
const MAX_PRELOAD_BYTES = 20_000_000

/** `neighbours` are loaded in this order, so the more likely one must come first. */
export function usePreloadNeighbours(neighbours: readonly (FileAnswer | undefined)[]): void {
  const sources = useContentSources()
  const smallerAddressOf = useSmallerAddress()
  const addresses = neighbours.map(file => {
    if (file?.art === 'video') return sources.addressOfPreview(file) ?? ''
    if (file?.art !== 'bilder') return ''
    return (
      smallerAddressOf(file) ??
      (file.size <= MAX_PRELOAD_BYTES ? (sources.addressOfFile(file.path) ?? '') : '')
    )
  })
  const key = addresses.join(' ')
  useEffect(() => {
    const images = key
      .split(' ')
      .filter(address => address !== '')
      .map(address => Object.assign(new Image(), { src: address }))
    // Unfinished downloads are cancelled, so that after a quick step the new neighbours are loaded first.
    return () => {
      for (const image of images) if (!image.complete) image.src = ''
    }
  }, [key])
}
