// "Am I affected?": a person names components, and the page shows which CVEs affect them, why, and which version to
// upgrade to.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { type ReactNode, type Ref, useEffect, useMemo, useRef, useState } from 'react'
import type { MatchedComponent } from 'vis-sdk'
import { Button } from '../../kit/controls/button.tsx'
import { Page } from '../../kit/page.tsx'
import { Panel } from '../../kit/panel.tsx'
import { Empty } from '../../kit/states/empty.tsx'
import { ErrorState } from '../../kit/states/error-state.tsx'
import { Loading } from '../../kit/states/loading.tsx'
import type { Product } from './component-lists.tsx'
import { CveAnswer } from './cve/cve-answer.tsx'
import { ExportCards, ExportMenu, useExports } from './exports.tsx'
import { InputForm } from './input-form.tsx'
import { Results } from './results.tsx'
import { type CheckOptions, isSameOptions, parseCve, parseOptions, toSearch } from './state.ts'
import { type LinesSubject, nameSubject, type Subject } from './subject.ts'
import { describeCount } from './texts.ts'
import type { Outcome } from './use-check.ts'
import { useForm } from './use-form.ts'
import { usePrefill } from './use-prefill.ts'

export function MatchPage() {
  const { options, setOptions, cve, dropCve } = useOptions()
  /** With a result, the form is hidden until the person asks for it. */
  const [isEditing, setIsEditing] = useState(false)
  const form = useForm(options, cve, () => setIsEditing(false))
  const { check, outcome } = form
  usePrefill(form, () => setIsEditing(true))
  const headingRef = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (check.data) headingRef.current?.focus()
  }, [check.data])
  const edit = () => {
    setIsEditing(true)
    scrollTo({ top: 0 })
    requestAnimationFrame(() => form.textRef.current?.focus())
  }
  const chooseFile = (file: File) => {
    setIsEditing(true)
    return form.chooseFile(file)
  }
  return (
    <Page title="Am I affected?">
      {/* Stays mounted, because a file can also be dropped on the result. */}
      <div hidden={!isEditing && outcome !== undefined}>
        <Panel>
          {cve !== undefined && <AskedCve id={cve} onDrop={dropCve} />}
          <InputForm
            {...form}
            chooseFile={chooseFile}
            options={options}
            onOptions={setOptions}
            isPending={check.isPending}
          />
        </Panel>
      </div>
      <CheckState form={form}>
        {outcome && (
          <Result
            outcome={outcome}
            form={form}
            options={options}
            onOptions={setOptions}
            cve={cve}
            headingRef={headingRef}
            onEdit={isEditing ? undefined : edit}
          />
        )}
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
          The result says what could not be judged, plans the upgrades, and lists the CVEs by priority, with who says so
          and who says otherwise. Where a database is missing or old, it says that CVEs may be missing, and never calls
          a component safe. What you enter is not stored.
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
  readonly onOptions: (options: CheckOptions) => void
  readonly cve: string | undefined
  readonly headingRef: Ref<HTMLHeadingElement>
  /** Shows the form again. Undefined while it is shown. */
  readonly onEdit: (() => void) | undefined
}

function Result({ outcome, form, options, onOptions, cve, headingRef, onEdit }: ResultProps) {
  const { subject, answer } = outcome
  const exports = useExports(outcome)
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
    <>
      <Results
        answer={answer}
        subject={describeSubject(subject, answer.overview.components_total)}
        headingRef={headingRef}
        actions={
          <>
            <ExportMenu outcome={outcome} exports={exports} />
            {onEdit && (
              <Button onClick={onEdit}>
                <RefreshCw aria-hidden size={14} /> Check another
              </Button>
            )}
          </>
        }
        cveAnswer={
          // An earlier result was not about this CVE.
          cve !== undefined && outcome.cve === cve && <CveAnswer id={cve} answer={answer} options={outcome.options} />
        }
        note={
          isOutdated && (
            <p className="text-sm text-ink-2">
              The form was changed since this check. Press “Check” to renew the result.
            </p>
          )
        }
        confidence={outcome.options.confidence_min}
        onConfidence={(confidence_min) => {
          const next = { ...outcome.options, confidence_min }
          onOptions(next)
          form.check.mutate({ subject, options: next, cve: outcome.cve })
        }}
        onChoose={isSameInput && subject.kind === 'lines' ? chooseFor(subject) : undefined}
      />
      <ExportCards exports={exports} />
    </>
  )
}

function describeSubject(subject: Subject, components: number): string {
  if (subject.kind === 'lines') return nameSubject(subject)
  const { name, format } = subject.document
  return `${name}, ${format}, ${describeCount(components, 'component', 'components')}`
}

/** Says that the result will answer about one CVE first. */
function AskedCve({ id, onDrop }: { readonly id: string; readonly onDrop: () => void }) {
  return (
    <p className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
      {`Add your version. The result answers about ${id} first.`}
      <Button onClick={onDrop}>Ask about all CVEs only</Button>
    </p>
  )
}

/** Returns what the address says about the check, and functions that change it. */
function useOptions() {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const options = useMemo(() => parseOptions(search), [search])
  const cve = parseCve(search)
  const replace = (next: CheckOptions, asked: string | undefined) =>
    void navigate({
      to: '/match',
      search: { ...toSearch(next), ...(asked !== undefined && { cve: asked }) },
      replace: true,
      resetScroll: false,
    })
  return {
    options,
    cve,
    setOptions: (next: CheckOptions) => replace(next, cve),
    dropCve: () => replace(options, undefined),
  }
}
