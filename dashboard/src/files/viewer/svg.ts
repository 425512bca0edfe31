/**
 * Handles SVG pictures that have no size of their own. By default, browsers draw them at most 300 × 150
 * pixels large; without a view box, they also cut off what does not fit.
 */
import { useQuery } from '@tanstack/react-query'
import { mediaTypeEssence } from '../../../../src/contract/paths/kinds.ts'
import type { FileAnswer } from '../types.ts'

/** Only this many bytes at the beginning of the file are searched for the root element. */
const MAX_SEARCHED_BYTES = 64 * 1024

export interface SvgRoot {
  hasSize: boolean
  hasViewBox: boolean
}

/**
 * Whether the root element has a size and a view box; null if there is no root element. Percentages do not
 * count as a size.
 */
export function parseSvgRoot(text: string): SvgRoot | null {
  const rootTag = /<svg\b[^>]*>/.exec(text)?.[0]
  if (rootTag === undefined) return null
  return {
    hasSize: /\swidth\s*=\s*["'][^"'%]+["']/.test(rootTag) && /\sheight\s*=\s*["'][^"'%]+["']/.test(rootTag),
    hasViewBox: /\sviewBox\s*=/.test(rootTag),
  }
}

export interface VectorView {
  /**
   * Whether the picture is drawn as large as the stage (the area of the viewer that shows it), because it has
   * no size of its own.
   */
  fillsStage: boolean
  /**
   * The address to show. If the picture has neither a size nor a view box, and the service knows the size of
   * its drawing, the address adds a view box of that size.
   */
  address: string | undefined
}

export function useVectorView(file: FileAnswer, address: string | undefined): VectorView {
  const isSvg = mediaTypeEssence(file.mime) === 'image/svg+xml'
  const { data } = useQuery({
    queryKey: ['svg', file.path, file.sha256],
    queryFn: async ({ signal }) => {
      const response = await fetch(address ?? '', {
        signal,
        headers: { Range: `bytes=0-${MAX_SEARCHED_BYTES - 1}` },
      })
      return response.ok ? parseSvgRoot(await response.text()) : null
    },
    enabled: isSvg && address !== undefined,
    retry: false,
  })
  const { breite, hoehe } = file
  if (!data || data.hasSize || breite === undefined || hoehe === undefined)
    return { fillsStage: false, address }
  // The dimensions that the service has determined are those of the whole drawing.
  return {
    fillsStage: true,
    address: data.hasViewBox ? address : `${address}#svgView(viewBox(0,0,${breite},${hoehe}))`,
  }
}
