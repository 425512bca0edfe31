/** The path of a file as a link to its details on the files page. */

import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import { fileDetailsAddress } from '../../state/addresses.ts'
import { MiddleTruncatedText } from '../../ui/files/middle-truncated-text.tsx'

export function FileLink({ path }: { path: string }) {
  return (
    <Anchor component={Link} href={fileDetailsAddress(path)} inherit aria-label={path}>
      <MiddleTruncatedText>{path}</MiddleTruncatedText>
    </Anchor>
  )
}
