// Asks the CEL of Kubernetes all cases of CEL's own conformance data, and prints them with what it says, one JSON object a line. To build:
// a module that requires k8s.io/apiserver at the release and cel.dev/expr, this file in it, `go build`. Its argument is the folder of
// `*.textproto` of cel.dev/expr. `../record-conformance.ts` runs it.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	testpb "cel.dev/expr/conformance/test"
	// Messages that the data names.
	_ "cel.dev/expr/conformance/proto2"
	_ "cel.dev/expr/conformance/proto3"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/ext"
	"google.golang.org/protobuf/encoding/prototext"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

// variable is what a case declares: its type as a checker prints it, and its value as CEL writes it.
type variable struct {
	Type  string  `json:"type"`
	Value *string `json:"value,omitempty"`
}

type answer struct {
	Name       string              `json:"name"`
	Expression string              `json:"expression"`
	Variables  map[string]variable `json:"variables,omitempty"`
	Type       string              `json:"type,omitempty"`
	Value      string              `json:"value,omitempty"`
	Fault      string              `json:"fault,omitempty"`
	Error      string              `json:"error,omitempty"`
	// Meets: whether this is what the data asks for.
	Meets bool `json:"meets"`
	// Skip: why the case says nothing about Kubernetes.
	Skip string `json:"skip,omitempty"`
}

func main() {
	files, err := filepath.Glob(filepath.Join(os.Args[1], "*.textproto"))
	if err != nil || len(files) == 0 {
		panic("no data")
	}
	sort.Strings(files)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	base, err := environment.MustBaseEnvSet(version.MajorMinor(1, 36)).NewExpressionsEnv().Extend(ext.Bindings())
	if err != nil {
		panic(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			panic(err)
		}
		file := &testpb.SimpleTestFile{}
		if err := (prototext.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(text, file); err != nil {
			panic(fmt.Errorf("%s: %w", name, err))
		}
		for _, section := range file.GetSection() {
			for _, test := range section.GetTest() {
				a := ask(base, test)
				a.Name = file.GetName() + "/" + section.GetName() + "/" + test.GetName()
				a.Expression = test.GetExpr()
				out.Encode(a)
			}
		}
	}
}

func ask(base *cel.Env, test *testpb.SimpleTest) (a answer) {
	a.Variables = map[string]variable{}
	switch {
	case test.GetContainer() != "":
		a.Skip = "names are looked up in a container"
	case test.GetDisableMacros():
		a.Skip = "macros are off"
	}
	if test.GetUnknown() != nil || test.GetAnyUnknowns() != nil {
		a.Skip = "values are unknown"
	}
	var options []cel.EnvOption
	for _, decl := range test.GetTypeEnv() {
		option, err := cel.ProtoAsDeclaration(decl)
		if err != nil {
			panic(err)
		}
		options = append(options, option)
		if decl.GetIdent() == nil {
			a.Skip = "functions are declared"
			continue
		}
		t, err := types.ProtoAsType(decl.GetIdent().GetType())
		if err != nil {
			a.Skip = "types of protobuf: " + err.Error()
			continue
		}
		if strings.Contains(decl.GetName(), ".") {
			a.Skip = "variables have dots in their names"
		}
		if strings.Contains(t.String(), "cel.expr") {
			a.Skip = "messages of protobuf"
		}
		a.Variables[decl.GetName()] = variable{Type: t.String()}
	}
	values := map[string]any{}
	for name, bound := range test.GetBindings() {
		value, err := cel.ProtoAsValue(base.CELTypeAdapter(), bound.GetValue())
		if err != nil {
			a.Skip = "messages of protobuf"
			continue
		}
		values[name] = value
		text := types.Format(value)
		if !isPlain(value) {
			a.Skip = "messages of protobuf"
		}
		v := a.Variables[name]
		v.Value = &text
		a.Variables[name] = v
	}
	if len(test.GetBindings()) == 0 && len(test.GetTypeEnv()) == 0 {
		a.Variables = nil
	}
	if a.Skip != "" {
		return
	}
	env, err := base.Extend(options...)
	if err != nil {
		panic(err)
	}
	ast, issues := env.Compile(test.GetExpr())
	if issues != nil && issues.Err() != nil {
		a.Fault = issues.Err().Error()
		a.Meets = test.GetEvalError() != nil || test.GetAnyEvalErrors() != nil
		return
	}
	a.Type = ast.OutputType().String()
	if test.GetCheckOnly() {
		wanted, err := types.ProtoAsType(test.GetTypedResult().GetDeducedType())
		a.Meets = err == nil && wanted.String() == a.Type
		return
	}
	program, err := env.Program(ast, cel.EvalOptions(cel.OptOptimize, cel.OptTrackCost), cel.CostTracking(&library.CostEstimator{}))
	if err != nil {
		a.Error = err.Error()
		a.Meets = test.GetEvalError() != nil || test.GetAnyEvalErrors() != nil
		return
	}
	value, _, err := program.Eval(values)
	if err != nil {
		a.Error = err.Error()
		a.Meets = test.GetEvalError() != nil || test.GetAnyEvalErrors() != nil
		return
	}
	a.Value = types.Format(value)
	if !isPlain(value) {
		a.Skip = "messages of protobuf"
		return
	}
	wanted := test.GetValue()
	if wanted == nil {
		wanted = test.GetTypedResult().GetResult()
	}
	if wanted == nil {
		a.Meets = test.GetResultMatcher() == nil && value == types.True
		return
	}
	other, err := cel.ProtoAsValue(env.CELTypeAdapter(), wanted)
	a.Meets = err == nil && (types.Format(other) == a.Value || other.Equal(value) == types.True && other.Type() == value.Type())
	return
}

// isPlain tells whether a value is one that Kubernetes has.
func isPlain(value ref.Val) bool {
	return !strings.Contains(types.Format(value), "cel.expr.conformance") && !strings.HasPrefix(value.Type().TypeName(), "cel.expr")
}
