/**
 * Skeletons that are shown until an answer arrives. They have about the size of the content, so that the
 * layout does not shift.
 */
import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { useWords } from '../language/language.tsx'
import { words } from './words.ts'

export const indexRange = (count: number) => Array.from({ length: count }, (_, index) => index)

export function LoadingStatus() {
  return <VisuallyHidden role="status">{useWords(words).loading}</VisuallyHidden>
}

export function RowsSkeleton({ rows = 8, height = 44 }: { rows?: number; height?: number }) {
  return (
    <Stack gap="xs">
      <LoadingStatus />
      {indexRange(rows).map(index => (
        <Skeleton key={index} height={height} />
      ))}
    </Stack>
  )
}

export function TextSkeleton({ lineCount = 3 }: { lineCount?: number }) {
  return (
    <Stack gap="xs">
      <LoadingStatus />
      {indexRange(lineCount).map(index => (
        <Skeleton key={index} height={16} width={index === lineCount - 1 ? '60%' : '100%'} />
      ))}
    </Stack>
  )
}
