// Asks the CEL of Kubernetes about expressions (a JSON text a line), or Go about patterns. To build: a module that requires
// k8s.io/apiserver at the release, this file in it, `go build`. `../record.ts` runs it. With `variables` the expressions may name those below.
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"regexp"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/ext"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

type answer struct {
	Expression string  `json:"expression"`
	Type       string  `json:"type,omitempty"`
	Value      string  `json:"value,omitempty"`
	Fault      string  `json:"fault,omitempty"`
	Error      string  `json:"error,omitempty"`
	Cost       *uint64 `json:"cost,omitempty"`
	CostMax    *uint64 `json:"costMax,omitempty"`
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "patterns" {
		patterns()
		return
	}
	set := environment.MustBaseEnvSet(version.MajorMinor(1, 36))
	env := set.NewExpressionsEnv()
	variables := map[string]any{}
	if len(os.Args) > 1 && os.Args[1] == "variables" {
		variables = map[string]any{
			"o": map[string]any{"s": "hello world, hello", "n": 5, "l": []any{1, 2, 3}, "m": map[string]any{"a": map[string]any{"b": "x"}}, "t": true},
			"s": "a text of some length", "i": 1, "t": true,
			"l": []int64{3, 1, 2}, "w": []string{"one", "two", "three"}, "m": map[string]int64{"a": 1, "b": 2},
		}
		var err error
		env, err = env.Extend(ext.Bindings(), cel.Variable("o", cel.DynType), cel.Variable("s", cel.StringType), cel.Variable("i", cel.IntType), cel.Variable("t", cel.BoolType),
			cel.Variable("l", cel.ListType(cel.IntType)), cel.Variable("w", cel.ListType(cel.StringType)), cel.Variable("m", cel.MapType(cel.StringType, cel.IntType)))
		if err != nil {
			panic(err)
		}
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<20)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for in.Scan() {
		var expression string
		if err := json.Unmarshal(in.Bytes(), &expression); err != nil {
			panic(err)
		}
		a := answer{Expression: expression}
		ast, issues := env.Compile(expression)
		if issues != nil && issues.Err() != nil {
			a.Fault = issues.Err().Error()
			out.Encode(a)
			continue
		}
		a.Type = ast.OutputType().String()
		if est, err := env.EstimateCost(ast, &library.CostEstimator{}); err == nil {
			a.CostMax = &est.Max
		}
		prog, err := env.Program(ast, cel.EvalOptions(cel.OptOptimize, cel.OptTrackCost), cel.CostTracking(&library.CostEstimator{}))
		if err != nil {
			a.Error = err.Error()
			out.Encode(a)
			continue
		}
		val, details, err := prog.Eval(variables)
		if err != nil {
			a.Error = err.Error()
		} else {
			a.Value = types.Format(val)
			if details != nil {
				a.Cost = details.ActualCost()
			}
		}
		out.Encode(a)
	}
}

func patterns() {
	in := bufio.NewScanner(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for in.Scan() {
		var given [2]string
		if err := json.Unmarshal(in.Bytes(), &given); err != nil {
			panic(err)
		}
		re, err := regexp.Compile(given[0])
		if err != nil {
			out.Encode(map[string]any{"pattern": given[0], "text": given[1], "error": err.Error()})
			continue
		}
		found := re.FindAllString(given[1], -1)
		if found == nil {
			found = []string{}
		}
		out.Encode(map[string]any{"pattern": given[0], "text": given[1], "found": found})
	}
}
