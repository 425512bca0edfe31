/**
 * The providers around the dashboard: theme, language, query client, and the line that is shown while there
 * is no connection.
 */
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { createQueryClient } from '../api/queries.ts'
import { useRefresh } from '../api/use-refresh.ts'
import { ConnectionLine } from '../frame/connection-line.tsx'
import { LanguageProvider } from '../language/language.tsx'
import { theme } from '../ui/theme.ts'

export function Providers({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient)
  return (
    // The build appends the variables of the theme to `theme.css`.
    <MantineProvider theme={theme} withCssVariables={false} defaultColorScheme="auto">
      <LanguageProvider>
        <QueryClientProvider client={queryClient}>
          <RefetchingConnectionLine />
          {children}
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>
  )
}

function RefetchingConnectionLine() {
  const queryClient = useQueryClient()
  const refresh = useRefresh()
  // Pending requests are cancelled, since they may be waiting on a dead connection.
  return <ConnectionLine onRestored={() => void queryClient.cancelQueries().then(() => refresh())} />
}
