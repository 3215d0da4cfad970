// "Am I affected?": a person names components, and the page shows which CVEs affect them, why, and which version to
// upgrade to.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, type Ref, useEffect, useMemo, useRef } from 'react'
import type { MatchedComponent } from 'vis-sdk'
import { Page } from '../../kit/page.tsx'
import { Panel } from '../../kit/panel.tsx'
import { Empty } from '../../kit/states/empty.tsx'
import { ErrorState } from '../../kit/states/error-state.tsx'
import { Loading } from '../../kit/states/loading.tsx'
import type { Product } from './component-lists.tsx'
import { Downloads } from './downloads.tsx'
import { InputForm } from './input-form.tsx'
import { Results } from './results.tsx'
import { type CheckOptions, isSameOptions, parseOptions, toSearch } from './state.ts'
import type { LinesSubject } from './subject.ts'
import type { Outcome } from './use-check.ts'
import { useForm } from './use-form.ts'

export function MatchPage() {
  const [options, setOptions] = useOptions()
  const form = useForm(options)
  const { check, outcome } = form
  const headingRef = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (check.data) headingRef.current?.focus()
  }, [check.data])
  return (
    <Page title="Am I affected?">
      <Panel>
        <InputForm {...form} options={options} onOptions={setOptions} isPending={check.isPending} />
      </Panel>
      <CheckState form={form}>
        {outcome && <Result outcome={outcome} form={form} options={options} headingRef={headingRef} />}
      </CheckState>
    </Page>
  )
}

type Form = ReturnType<typeof useForm>

/** Shows the state of a check: not started, sent, failed, or its result. */
function CheckState({ form, children }: { readonly form: Form; readonly children: ReactNode }) {
  const { check, isRefused } = form
  const { variables } = check
  if (check.isPending) {
    return (
      <Panel>
        <Loading label="Checking the components" lines={8} />
      </Panel>
    )
  }
  if (check.error && !isRefused && variables) {
    return (
      <Panel>
        <ErrorState error={check.error} onRetry={() => check.mutate(variables)} />
      </Panel>
    )
  }
  return children || <Introduction />
}

function Introduction() {
  return (
    <Panel>
      <Empty title="Which CVEs hit the versions that you run?">
        <p>
          The result says what was not covered, plans the upgrades, and lists the CVEs by priority, with who says so and
          who says otherwise. A component that no complete and current database judges is called not covered, never
          safe. What you enter is not stored.
        </p>
        <p className="mt-2">
          <a href="/docs/guide/matching" className="text-accent underline underline-offset-2">
            How verdicts are made
          </a>
        </p>
      </Empty>
    </Panel>
  )
}

interface ResultProps {
  readonly outcome: Outcome
  readonly form: Form
  readonly options: CheckOptions
  readonly headingRef: Ref<HTMLHeadingElement>
}

function Result({ outcome, form, options, headingRef }: ResultProps) {
  const { subject, answer } = outcome
  const isSameInput =
    subject.kind === 'lines'
      ? form.document === undefined && subject.text === form.text
      : form.document === undefined || subject.document === form.document
  const chooseFor =
    ({ lines }: LinesSubject) =>
    ({ index, interpreted_as: { version } }: MatchedComponent, { vendor, product }: Product) => {
      const line = lines[index]?.line
      if (line !== undefined) form.replace(line, [vendor, product, version].filter(Boolean).join(' '))
    }
  const isOutdated = !isSameInput || !isSameOptions(outcome.options, options)
  return (
    <Results
      answer={answer}
      headingRef={headingRef}
      actions={<Downloads outcome={outcome} />}
      note={
        isOutdated && (
          <p className="text-sm text-ink-2">
            The form was changed since this check. Press “Check” to renew the result.
          </p>
        )
      }
      onChoose={isSameInput && subject.kind === 'lines' ? chooseFor(subject) : undefined}
    />
  )
}

/** Returns the options in the address and a function that changes them. */
function useOptions(): readonly [CheckOptions, (options: CheckOptions) => void] {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const options = useMemo(() => parseOptions(search), [search])
  const setOptions = (next: CheckOptions) =>
    void navigate({ to: '/match', search: toSearch(next), replace: true, resetScroll: false })
  return [options, setOptions]
}
