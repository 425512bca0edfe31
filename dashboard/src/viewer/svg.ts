/**
 * SVG pictures that have no size of their own. Browsers draw them 300 × 150 pixels large; without a view box,
 * they also cut off what does not fit.
 */
import { useQuery } from '@tanstack/react-query'
import { essence } from '../../../src/contract/paths/kinds.ts'
import type { FileAnswer } from '../files/types.ts'

/** The root element is expected within this many first bytes. */
const BEGINNING = 64 * 1024

export interface SvgRoot {
  hasSize: boolean
  hasViewBox: boolean
}

/**
 * Whether the root element has a size and a view box; null if there is no root element. Percentages do not
 * count as a size.
 */
export function svgRoot(text: string): SvgRoot | null {
  const root = /<svg\b[^>]*>/.exec(text)?.[0]
  if (root === undefined) return null
  return {
    hasSize: /\swidth\s*=\s*["'][^"'%]+["']/.test(root) && /\sheight\s*=\s*["'][^"'%]+["']/.test(root),
    hasViewBox: /\sviewBox\s*=/.test(root),
  }
}

export interface VectorView {
  /** Whether the picture is drawn as large as the stage, because it has no size of its own. */
  fills: boolean
  /** The address. If the picture has no view box, the measures of the drawing are added as one. */
  source: string | undefined
}

export function useVector(file: FileAnswer, source: string | undefined): VectorView {
  const isSvg = essence(file.mime) === 'image/svg+xml'
  const { data } = useQuery({
    queryKey: ['svg', file.path, file.sha256],
    queryFn: async ({ signal }) => {
      const response = await fetch(source ?? '', { signal, headers: { Range: `bytes=0-${BEGINNING - 1}` } })
      return response.ok ? svgRoot(await response.text()) : null
    },
    enabled: isSvg && source !== undefined,
    retry: false,
  })
  const { breite, hoehe } = file
  if (!data || data.hasSize || breite === undefined || hoehe === undefined) return { fills: false, source }
  // The measures that the service has determined are those of the whole drawing.
  return {
    fills: true,
    source: data.hasViewBox ? source : `${source}#svgView(viewBox(0,0,${breite},${hoehe}))`,
  }
}
