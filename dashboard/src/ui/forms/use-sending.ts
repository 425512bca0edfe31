/**
 * The state of a request that a form or a button sends, like that of `useMutation`, but without TanStack
 * Query.
 */
import { useRef, useState } from 'react'

interface Sending<Answer, Input> {
  isPending: boolean
  isSuccess: boolean
  error: Error | null
  data?: Answer
  /** The argument of the last call of `start`. */
  input?: Input
}

const IDLE_STATE = { isPending: false, isSuccess: false, error: null }

export function useSending<Answer, Input = void>(
  send: (input: Input) => Promise<Answer>,
  onSent?: (answer: Answer) => unknown,
) {
  const [state, setState] = useState<Sending<Answer, Input>>(IDLE_STATE)
  // Only the state of the last request is shown; an earlier one may end after it.
  const lastId = useRef(0)
  const show = (id: number, next: Sending<Answer, Input>) => id === lastId.current && setState(next)
  return {
    ...state,
    async start(input: Input) {
      const id = ++lastId.current
      show(id, { ...IDLE_STATE, isPending: true, input })
      try {
        const data = await send(input)
        await onSent?.(data)
        show(id, { ...IDLE_STATE, isSuccess: true, data, input })
      } catch (error) {
        show(id, { ...IDLE_STATE, error: error as Error, input })
      }
    },
    reset: () => show(++lastId.current, IDLE_STATE),
  }
}
