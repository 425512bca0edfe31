/**
 * Skeletons that are shown until an answer arrives. They have about the size of the content, so that nothing
 * jumps.
 */
import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { useWords } from '../language/language.tsx'
import { words } from './words.ts'

export const indexesUpTo = (count: number) => Array.from({ length: count }, (_, at) => at)

export function LoadingStatus() {
  return <VisuallyHidden role="status">{useWords(words).loading}</VisuallyHidden>
}

export function RowsSkeleton({ rows = 8, height = 44 }: { rows?: number; height?: number }) {
  return (
    <Stack gap="xs">
      <LoadingStatus />
      {indexesUpTo(rows).map(at => (
        <Skeleton key={at} height={height} />
      ))}
    </Stack>
  )
}

export function TextSkeleton({ lines = 3 }: { lines?: number }) {
  return (
    <Stack gap="xs">
      <LoadingStatus />
      {indexesUpTo(lines).map(at => (
        <Skeleton key={at} height={16} width={at === lines - 1 ? '60%' : '100%'} />
      ))}
    </Stack>
  )
}
