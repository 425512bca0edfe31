/** The path of a file as a link to its details on the files page. */

import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import { fileAddress } from '../../state/addresses.ts'
import { MiddleCut } from '../../ui/files/middle-cut.tsx'

export function FileLink({ path }: { path: string }) {
  return (
    <Anchor component={Link} href={fileAddress(path)} inherit aria-label={path}>
      <MiddleCut>{path}</MiddleCut>
    </Anchor>
  )
}
